// ASP.NET Core SignalR as its documentation says: one hub, one group, everybody in it; the defaults of a web
// application. Obeys the same commands as the other servers of the bench (test/bench/hub/serve-bench.ts).
using System.Text.Json;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.SignalR;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxConcurrentUpgradedConnections = null);
builder.Services.AddSignalR();
var app = builder.Build();
app.MapHub<ChangeHub>("/hubs/entity-changes");
await app.StartAsync();

var address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
Say(new { port = new Uri(address).Port });

var hub = app.Services.GetRequiredService<IHubContext<ChangeHub>>();
var bench = new Bench(hub);
while (await Console.In.ReadLineAsync() is { } line)
{
    var command = JsonDocument.Parse(line).RootElement;
    int Number(string name) => command.GetProperty(name).GetInt32();
    switch (command.GetProperty("do").GetString())
    {
        case "publish":
            bench.Start(Number("turns"), Number("perTurn"), Number("ahead"));
            break;
        case "delivered":
            if (bench.Delivered(Number("turns")) is { } cpuUs) Say(new { cpuUs });
            break;
        case "memory":
            for (var round = 0; round < 2; round++)
            {
                GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
                GC.WaitForPendingFinalizers();
            }
            Say(new { rssBytes = Environment.WorkingSet });
            break;
    }
}
await app.StopAsync();

static void Say(object answer)
{
    Console.Out.WriteLine(JsonSerializer.Serialize(answer));
    Console.Out.Flush();
}

public sealed class ChangeHub : Hub
{
    public override Task OnConnectedAsync() => Groups.AddToGroupAsync(Context.ConnectionId, Bench.Group);
}

public sealed record EntityLock(
    string EntityType, string EntityUid, string HolderOid, string HolderName,
    string AcquiredAtUtc, string ExpiresAtUtc, long ExpiresInMs, long Fence, long At);

public sealed record EntityChange(
    string EntityType, string EntityUid, string Operation, EntityLock Lock, long Fence, long At);

/// <summary>One round: publishes turn by turn, at most <c>ahead</c> turns before the clients.</summary>
public sealed class Bench(IHubContext<ChangeHub> hub)
{
    public const string Group = "acme";
    private const long FirstFence = 1_790_000_000_000;
    private static readonly EntityLock Lock = new(
        "ApprovalRequest", "REQ-2041", "8f14e45f-ceea-4c1a-9e3f-0d2b7f5a6c11", "Anna Berg",
        "2026-03-02T08:15:30.000Z", "2026-03-02T08:20:30.000Z", 300_000, FirstFence, 1_790_000_000_000_000);

    private readonly IClientProxy _group = hub.Clients.Group(Group);
    private SemaphoreSlim _room = new(0);
    private long _messages;
    private int _turns;
    private int _delivered;
    private TimeSpan _before;

    public void Start(int turns, int perTurn, int ahead)
    {
        (_turns, _delivered, _room) = (turns, 0, new SemaphoreSlim(ahead));
        _before = Environment.CpuUsage.TotalTime;
        _ = Task.Run(() => PublishAsync(turns, perTurn, _room));
    }

    /// <summary>The microseconds of CPU that the round cost, when it is over; null before.</summary>
    public long? Delivered(int turns)
    {
        _room.Release(turns - _delivered);
        _delivered = turns;
        if (turns < _turns) return null;
        return (long)(Environment.CpuUsage.TotalTime - _before).TotalMicroseconds;
    }

    private async Task PublishAsync(int turns, int perTurn, SemaphoreSlim room)
    {
        var sends = new Task[perTurn];
        for (var turn = 0; turn < turns; turn++)
        {
            await room.WaitAsync();
            for (var sent = 0; sent < perTurn; sent++)
            {
                var at = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() * 1_000;
                var change = new EntityChange(
                    Lock.EntityType, Lock.EntityUid, "Acquired", Lock, FirstFence + _messages++, at);
                sends[sent] = _group.SendAsync("EntityChanged", change);
            }
            await Task.WhenAll(sends);
        }
    }
}
