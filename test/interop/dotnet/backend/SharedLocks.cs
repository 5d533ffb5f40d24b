using System.Text;
using StackExchange.Redis;

namespace Approvals;

/// <summary>Whose form it is, for how long it has to live on after a release, and what it knew last.</summary>
public sealed record Form(string Session = "", int GraceMs = 0, long Fence = 0);

/// <summary>What a script answers: the head of each says which outcomes there are.</summary>
public sealed record ScriptAnswer(
    string Outcome, LockRecord? Record, long ExpiresInMs, long At, long Fence, long OtherSessions);

/// <summary>
/// Locks in the keys of Rowlock's own server, by its own scripts (<c>dist/lua</c>): KEYS and ARGV are those in the
/// scripts' heads. The scripts publish what they did; nothing is left to announce here.
/// </summary>
public sealed class SharedLocks(IConnectionMultiplexer redis, TimeSpan lease, string folder)
{
    private readonly IDatabase db = redis.GetDatabase();
    private readonly Dictionary<string, string> scripts = new[] { "claim", "renew", "release", "take-over" }
        .ToDictionary(name => name, name => File.ReadAllText(Path.Combine(folder, $"{name}.lua")));

    private long LeaseMs => (long)lease.TotalMilliseconds;

    public Task<ScriptAnswer> Claim(Caller caller, string uid, Form form) =>
        Run("claim", caller, uid, form, LeaseMs, NewRecord(caller, uid));

    /// <summary>The record is built from the stored one, so that it keeps its start; the script replaces that one alone.</summary>
    public async Task<ScriptAnswer> Renew(Caller caller, string uid, Form form)
    {
        string stored = (await db.StringGetAsync(KeysOf(caller.Tenant, uid)[0])).ToString();
        var old = stored == "" ? null : LockRecord.Parse(stored);
        var since = old?.HolderOid == caller.Oid ? old.AcquiredAtUtc : (DateTime?)null;
        return await Run(
            "renew", caller, uid, form, LeaseMs, NewRecord(caller, uid, since), stored, form.Fence);
    }

    /// <summary>The two empty arguments leave the record as it is: its TTL says when it ends.</summary>
    public Task<ScriptAnswer> Release(Caller caller, string uid, Form form) =>
        Run("release", caller, uid, form, "one", form.GraceMs, "", "");

    public Task<ScriptAnswer> TakeOver(Caller caller, string uid, string fromHolderOid, Form form) =>
        Run("take-over", caller, uid, form, LeaseMs, NewRecord(caller, uid), fromHolderOid);

    private string NewRecord(Caller caller, string uid, DateTime? since = null) =>
        LockRecord.For(Spelling(uid), caller, lease, since).ToJson();

    private async Task<ScriptAnswer> Run(string name, Caller caller, string uid, Form form, params RedisValue[] rest)
    {
        RedisValue[] common = [caller.Oid, form.Session, 0, "plain", ChannelOf(caller.Tenant)];
        var reply = (RedisResult[])(await db.ScriptEvaluateAsync(
            scripts[name], KeysOf(caller.Tenant, uid), [.. common, .. rest]))!;
        return new ScriptAnswer(
            (string)reply[0]!,
            reply[1].IsNull ? null : LockRecord.Parse((string)reply[1]!),
            (long)reply[2],
            (long)reply[3],
            (long)reply[4],
            (long)reply[6]);
    }

    /// <summary>Lock, index, fence and sessions, in the order of the scripts' KEYS.</summary>
    private static RedisKey[] KeysOf(string tenant, string uid)
    {
        var type = $"{{{Encode(tenant)}}}:{Encode(ApprovalRequests.EntityType)}";
        var entity = $"{type}:{Encode(uid)}";
        return [$"lock:{entity}", $"lockidx:{type}", $"lockfence:{entity}", $"locksess:{entity}"];
    }

    private static string ChannelOf(string tenant) => $"lockchange:{{{Encode(tenant)}}}";

    /// <summary>One spelling per record: Unicode NFC, GUIDs in lower case.</summary>
    private static string Spelling(string text) =>
        Guid.TryParseExact(text, "D", out var guid) ? guid.ToString("D") : text.Normalize(NormalizationForm.FormC);

    /// <summary>As JavaScript's encodeURIComponent, which leaves five characters alone that .NET escapes.</summary>
    private static string Encode(string text) =>
        Uri.EscapeDataString(Spelling(text))
            .Replace("%21", "!").Replace("%27", "'").Replace("%28", "(").Replace("%29", ")").Replace("%2A", "*");
}
