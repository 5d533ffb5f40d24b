using System.Diagnostics;
using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>How a connection ends, and when it comes back.</summary>
public sealed class EndingSteps(Talk talk, string hub)
{
    private static readonly TimeSpan TokenLife = TimeSpan.FromSeconds(1.5);

    public async Task Run(Steps steps)
    {
        await steps.Run("reconnect-after-cut", async () =>
        {
            await using var connection = await talk.Connect(hub, reconnects: true);
            var heard = new TaskCompletionSource<string>();
            connection.On<string>("Heard", heard.SetResult);
            var before = connection.ConnectionId;
            var events = new EventsOf(connection);
            await Cut(connection);
            await events.Reconnected;
            await connection.InvokeAsync("Broadcast", "everybody", "again");
            return new { events.Kinds, IsNewId = connection.ConnectionId != before, Heard = await heard.Task };
        });

        await steps.Run("closed-for-good", async () =>
        {
            await using var connection = await talk.Connect(hub, reconnects: true);
            var events = new EventsOf(connection);
            await connection.SendAsync("CloseForGood");
            await events.Closed;
            return new { events.Kinds, Words = events.LastWords };
        });

        await steps.Run("closed-with-words", async () =>
        {
            await using var connection = await talk.Connect(hub, reconnects: true);
            var events = new EventsOf(connection);
            await connection.SendAsync("CloseWithError", "boom");
            await events.Closed;
            return new { events.Kinds, Words = events.LastWords };
        });

        await steps.Run("asked-to-come-back", async () =>
        {
            await using var connection = await talk.Connect(hub, reconnects: true);
            var events = new EventsOf(connection);
            await connection.SendAsync("CloseAndComeBack");
            await events.Reconnected;
            return new { events.Kinds, Echo = await connection.InvokeAsync<string>("Echo", "back") };
        });

        await steps.Run("token-runs-out", async () =>
        {
            await using var other = await talk.Connect(hub);
            // Before it is made: what the answer takes is part of its life.
            var since = Stopwatch.GetTimestamp();
            var token = await other.InvokeAsync<string>("TokenThatLives", TokenLife.TotalSeconds);
            await using var connection = talk.Build(hub, reconnects: true, token: () => token);
            var events = new EventsOf(connection);
            var took = new TaskCompletionSource<TimeSpan>();
            connection.Reconnecting += _ =>
            {
                token = talk.Token;
                took.SetResult(Stopwatch.GetElapsedTime(since));
                return Task.CompletedTask;
            };
            await connection.StartAsync();
            await events.Reconnected;
            return new
            {
                events.Kinds,
                AfterMs = (int)(await took.Task).TotalMilliseconds,
                Echo = await connection.InvokeAsync<string>("Echo", "fresh"),
            };
        });

        await steps.Run("too-big", async () =>
        {
            await using var connection = await talk.Connect(hub, reconnects: true);
            var events = new EventsOf(connection);
            var fits = new string('x', 30_000);
            var isWhole = await connection.InvokeAsync<string>("Echo", fits) == fits;
            await connection.SendAsync("Echo", new string('x', 40_000));
            await events.Reconnected;
            return new { IsWhole = isWhole, events.Kinds, Echo = await connection.InvokeAsync<string>("Echo", "back") };
        });

        await steps.Run("stop", async () =>
        {
            await using var other = await talk.Connect(hub);
            await using var connection = await talk.Connect(hub);
            var events = new EventsOf(connection);
            var id = connection.ConnectionId;
            await connection.StopAsync();
            while (await other.InvokeAsync<bool>("IsConnected", id)) await Task.Delay(10);
            return new { events.Kinds, State = connection.State.ToString() };
        });
    }

    /// <summary>Breaks every TCP connection of the hub; the request that asks for it may be among them.</summary>
    private static async Task Cut(HubConnection connection)
    {
        try
        {
            await connection.SendAsync("Cut");
        }
        catch (HttpRequestException)
        {
            // So it was.
        }
    }
}
