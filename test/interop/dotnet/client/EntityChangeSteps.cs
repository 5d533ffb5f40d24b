using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>Rowlock's own hub: hears of a lock that is claimed and released over HTTP.</summary>
public sealed class EntityChangeSteps(Talk talk, Uri rowlock)
{
    public async Task Run(Steps steps)
    {
        var request = $"REQ-{Guid.NewGuid():N}";
        var path = $"/api/locks/ApprovalRequest/{request}";
        using var http = new HttpClient { BaseAddress = rowlock };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", talk.Token);

        await using var connection = talk.Build(new Uri(rowlock, "/hubs/entity-changes").ToString());
        var changes = Channel.CreateUnbounded<EntityChange>();
        connection.On<EntityChange>("EntityChanged", change => changes.Writer.TryWrite(change));
        await connection.StartAsync();

        await steps.Run("subscribe", async () =>
        {
            await connection.InvokeAsync("Subscribe", new[] { "ApprovalRequest" });
            return connection.State.ToString();
        });

        await steps.Run("subscribe-wrongly", async () =>
            await Talk.WordsOf(() => connection.InvokeAsync("Subscribe", "ApprovalRequest")));

        await steps.Run("hear-acquired", async () =>
        {
            using var answer = await http.PostAsJsonAsync($"{path}/claim", new { sessionId = "s1" });
            var claimed = await answer.Content.ReadFromJsonAsync<JsonElement>();
            var change = await changes.Reader.ReadAsync();
            return new
            {
                change.EntityType,
                IsSameUid = change.EntityUid == request,
                change.Operation,
                change.Lock?.HolderOid,
                change.Lock?.HolderName,
                IsSameFence = change.Fence == claimed.GetProperty("lock").GetProperty("fence").GetInt64(),
                IsSameAt = change.At == claimed.GetProperty("lock").GetProperty("at").GetInt64(),
                IsNow = DateTimeOffset.UtcNow - DateTimeOffset.Parse(change.Lock?.AcquiredAtUtc ?? "") < TimeSpan.FromMinutes(1),
                HasTimeLeft = change.Lock?.ExpiresInMs > 0,
            };
        });

        await steps.Run("hear-released", async () =>
        {
            using var answer = await http.DeleteAsync($"{path}?sessionId=s1");
            var change = await changes.Reader.ReadAsync();
            return new { change.Operation, change.Lock?.HolderOid, IsSameUid = change.EntityUid == request };
        });

        // Whoever does not want types of its own for it.
        await steps.Run("hear-without-a-type", async () =>
        {
            await using var other = talk.Build(new Uri(rowlock, "/hubs/entity-changes").ToString());
            var heard = new TaskCompletionSource<string?>();
            if (talk.IsMessagePack)
                other.On<Dictionary<string, object?>>("EntityChanged", change => heard.TrySetResult(change["operation"] as string));
            else
                other.On<JsonElement>("EntityChanged", change => heard.TrySetResult(change.GetProperty("operation").GetString()));
            await other.StartAsync();
            await other.InvokeAsync("Subscribe", new[] { "ApprovalRequest" });
            using var answer = await http.PostAsJsonAsync($"{path}/claim", new { sessionId = "s2" });
            return await heard.Task;
        });

        await steps.Run("hear-without-keys", async () =>
        {
            await using var other = talk.Build(new Uri(rowlock, "/hubs/entity-changes").ToString());
            var heard = new TaskCompletionSource<Unkeyed>();
            other.On<Unkeyed>("EntityChanged", change => heard.TrySetResult(change));
            await other.StartAsync();
            await other.InvokeAsync("Subscribe", new[] { "ApprovalRequest" });
            using var answer = await http.PostAsJsonAsync($"{path}/claim", new { sessionId = "s3" });
            return await heard.Task;
        });
    }

    /// <summary>A type as one might write it who has only used JSON.</summary>
    public sealed class Unkeyed
    {
        public string? EntityType { get; set; }
    }
}
