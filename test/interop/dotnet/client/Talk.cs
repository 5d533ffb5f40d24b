using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;

namespace Approvals.Client;

/// <summary>How the connections of this run talk.</summary>
public sealed record Talk(HttpTransportType Transport, bool IsMessagePack, string Token)
{
    /// <summary>A connection that has not been started. It comes back after losses where that is asked for.</summary>
    public HubConnection Build(string hub, bool reconnects = false, Func<string>? token = null)
    {
        var builder = new HubConnectionBuilder().WithUrl(hub, options =>
        {
            options.Transports = Transport;
            options.AccessTokenProvider = () => Task.FromResult<string?>(token is null ? Token : token());
        });
        if (IsMessagePack) builder.AddMessagePackProtocol();
        if (reconnects)
        {
            builder.WithAutomaticReconnect(
                new[] { 0, 20, 50, 100, 200, 500, 1_000, 2_000 }.Select(ms => TimeSpan.FromMilliseconds(ms)).ToArray());
        }
        return builder.Build();
    }

    public async Task<HubConnection> Connect(string hub, bool reconnects = false)
    {
        var connection = Build(hub, reconnects);
        await connection.StartAsync();
        return connection;
    }

    /// <summary>The words of the refusal that a call ends with.</summary>
    public static async Task<string> WordsOf(Func<Task> call)
    {
        try
        {
            await call();
            return "no error";
        }
        catch (HubException error)
        {
            return error.Message;
        }
    }
}
