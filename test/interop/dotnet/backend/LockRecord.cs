using System.Text.Json;

namespace Approvals;

/// <summary>
/// Who is editing what, as it is stored: six camelCase fields under <c>lock:{tenant}:type:uid</c>, dates in UTC.
/// </summary>
public sealed record LockRecord(
    string EntityType,
    string EntityUid,
    string HolderOid,
    string HolderName,
    DateTime AcquiredAtUtc,
    DateTime ExpiresAtUtc)
{
    public static LockRecord For(string uid, Caller caller, TimeSpan lease, DateTime? since = null)
    {
        var now = DateTime.UtcNow;
        return new(ApprovalRequests.EntityType, uid, caller.Oid, caller.Name, since ?? now, now + lease);
    }

    public static LockRecord Parse(string json) =>
        JsonSerializer.Deserialize<LockRecord>(json, JsonSerializerOptions.Web)
        ?? throw new JsonException("Expected a lock record, found null.");

    public string ToJson() => JsonSerializer.Serialize(this, JsonSerializerOptions.Web);
}
