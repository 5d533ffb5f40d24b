using MessagePack;

namespace Approvals.Client;

/// <summary>
/// What Rowlock's hub says of a record. In JSON the names fit as they are, since .NET's client writes its own in camel
/// case. MessagePack compares names as they stand: each needs its key.
/// </summary>
[MessagePackObject]
public sealed record EntityChange
{
    [Key("entityType")] public required string EntityType { get; init; }
    [Key("entityUid")] public required string EntityUid { get; init; }

    /// <summary>Acquired, Renewed, Released, TakenOver; or the application's own word.</summary>
    [Key("operation")] public required string Operation { get; init; }

    [Key("lock")] public LiveLock? Lock { get; init; }
    [Key("fence")] public long? Fence { get; init; }

    /// <summary>Microseconds since 1970.</summary>
    [Key("at")] public long At { get; init; }
}

/// <summary>A lock as its change tells of it.</summary>
[MessagePackObject]
public sealed record LiveLock
{
    [Key("entityType")] public required string EntityType { get; init; }
    [Key("entityUid")] public required string EntityUid { get; init; }
    [Key("holderOid")] public required string HolderOid { get; init; }
    [Key("holderName")] public required string HolderName { get; init; }
    [Key("acquiredAtUtc")] public required string AcquiredAtUtc { get; init; }
    [Key("expiresAtUtc")] public required string ExpiresAtUtc { get; init; }
    [Key("expiresInMs")] public long ExpiresInMs { get; init; }
    [Key("fence")] public long Fence { get; init; }
    [Key("at")] public long At { get; init; }
}
