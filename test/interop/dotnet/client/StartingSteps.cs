using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>How a connection begins.</summary>
public sealed class StartingSteps(Talk talk, string hub, string redirecting)
{
    public async Task Run(Steps steps)
    {
        await steps.Run("connect", async () =>
        {
            await using var connection = talk.Build(hub);
            var welcomed = new TaskCompletionSource<string>();
            connection.On<string>("Welcome", welcomed.SetResult);
            await connection.StartAsync();
            var me = await connection.InvokeAsync<Dictionary<string, string>>("WhoAmI");
            return new
            {
                State = connection.State.ToString(),
                Oid = me["oid"],
                Protocol = me["protocol"],
                IsSameId = connection.ConnectionId == me["id"],
                IsWelcome = await welcomed.Task == me["id"],
            };
        });

        await steps.Run("refused", async () =>
        {
            await using var connection = talk.Build(hub, token: () => "bad");
            try
            {
                await connection.StartAsync();
                return "connected";
            }
            catch (HttpRequestException error)
            {
                return error.Message;
            }
        });

        await steps.Run("redirected", async () =>
        {
            await using var connection = await talk.Connect(redirecting);
            var me = await connection.InvokeAsync<Dictionary<string, string>>("WhoAmI");
            return new { Oid = me["oid"], Node = me["node"] };
        });

        await steps.Run("refused-by-an-answer", async () =>
        {
            await using var connection = talk.Build($"{hub}?negotiateVersion=x");
            try
            {
                await connection.StartAsync();
                return "connected";
            }
            catch (Exception error) when (error is not HttpRequestException)
            {
                return error.Message;
            }
        });
    }
}
