using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.SignalR;
using StackExchange.Redis;

namespace Approvals;

/// <summary>
/// Tells this application's pages what any server's script has published: <c>&lt;fence&gt; &lt;at&gt; &lt;json&gt;</c> on
/// <c>lockchange:{tenant}</c>. Fence 0 is a change of data, which has no lock.
/// </summary>
public sealed partial class ChangeRelay(
    IConnectionMultiplexer redis, IHubContext<EntityHub> hub, ILogger<ChangeRelay> log) : IHostedService
{
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var channels = await redis.GetSubscriber().SubscribeAsync(RedisChannel.Pattern("lockchange:*"));
        channels.OnMessage(message => Relay((string)message.Channel!, (string)message.Message!));
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task Relay(string channel, string message)
    {
        var (tenant, parts) = (ChannelName().Match(channel), Message().Match(message));
        if (!tenant.Success || !parts.Success)
        {
            log.LogWarning("A message on {Channel} is no change.", channel);
            return;
        }
        var fence = long.Parse(parts.Groups[1].Value);
        var change = JsonSerializer.Deserialize<JsonElement>(parts.Groups[3].Value);
        var entity = fence == 0 ? change : change.GetProperty("lock");
        await hub.Tell(Uri.UnescapeDataString(tenant.Groups[1].Value), new
        {
            what = change.GetProperty("operation").GetString(),
            type = entity.GetProperty("entityType").GetString(),
            id = entity.GetProperty("entityUid").GetString(),
            record = fence == 0 ? (JsonElement?)null : entity,
            fence,
            at = long.Parse(parts.Groups[2].Value),
        });
    }

    [GeneratedRegex(@"^lockchange:\{(.*)\}$")]
    private static partial Regex ChannelName();

    [GeneratedRegex(@"^(\d+) (\d+) (\{.*\})$", RegexOptions.Singleline)]
    private static partial Regex Message();
}
