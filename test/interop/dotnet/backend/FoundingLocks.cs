using StackExchange.Redis;

namespace Approvals;

/// <summary>
/// The locks as they were first designed: one record with a lease, taken by a script of four lines. No fence, no
/// sessions, no list of what is locked: that is found by looking for keys.
/// </summary>
public sealed class FoundingLocks(IConnectionMultiplexer redis, TimeSpan lease)
{
    /// <summary>KEYS 1 lock. ARGV 1 holder, 2 record, 3 lease (ms). Answers the record that is stored now.</summary>
    private const string ClaimScript = """
        local current = redis.call('GET', KEYS[1])
        if current and cjson.decode(current).holderOid ~= ARGV[1] then return current end
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
        return ARGV[2]
        """;

    /// <summary>KEYS 1 lock. ARGV 1 holder. Answers the record that ended, nil where it was not the holder's.</summary>
    private const string ReleaseScript = """
        local current = redis.call('GET', KEYS[1])
        if not current or cjson.decode(current).holderOid ~= ARGV[1] then return false end
        redis.call('DEL', KEYS[1])
        return current
        """;

    private readonly IDatabase db = redis.GetDatabase();

    public async Task<LockRecord?> Find(string tenant, string uid)
    {
        string? json = await db.StringGetAsync(KeyOf(tenant, uid));
        return json is null ? null : LockRecord.Parse(json);
    }

    /// <summary>Takes the lock, or extends the caller's own. Answers whose it is now.</summary>
    public async Task<LockRecord> Claim(Caller caller, string uid)
    {
        var own = await Find(caller.Tenant, uid);
        var since = own?.HolderOid == caller.Oid ? own.AcquiredAtUtc : (DateTime?)null;
        var record = LockRecord.For(uid, caller, lease, since).ToJson();
        var stored = await db.ScriptEvaluateAsync(
            ClaimScript,
            [KeyOf(caller.Tenant, uid)],
            [caller.Oid, record, (long)lease.TotalMilliseconds]);
        return LockRecord.Parse((string)stored!);
    }

    public async Task<LockRecord?> Release(Caller caller, string uid)
    {
        var ended = await db.ScriptEvaluateAsync(ReleaseScript, [KeyOf(caller.Tenant, uid)], [caller.Oid]);
        return ended.IsNull ? null : LockRecord.Parse((string)ended!);
    }

    public async Task<IReadOnlyList<LockRecord>> List(string tenant)
    {
        var server = redis.GetServers().First();
        var keys = new List<RedisKey>();
        await foreach (var key in server.KeysAsync(pattern: (string?)KeyOf(tenant, "*"))) keys.Add(key);
        var values = await db.StringGetAsync([.. keys]);
        return [.. values.Where(value => value.HasValue).Select(value => LockRecord.Parse(value.ToString()))];
    }

    private static RedisKey KeyOf(string tenant, string uid) => $"lock:{{{tenant}}}:{ApprovalRequests.EntityType}:{uid}";
}
