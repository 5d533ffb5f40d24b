using System.Security.Claims;
using Microsoft.AspNetCore.SignalR;

namespace Approvals;

/// <summary>The application's API: its records, and who is editing them.</summary>
public static class FoundingEndpoints
{
    public static void MapFoundingLocks(this IEndpointRouteBuilder app)
    {
        app.MapPut("/requests/{id}/lock", Claim);
        app.MapDelete("/requests/{id}/lock", Release);
        app.MapGet("/locks/ApprovalRequest", List);
        app.MapGet("/requests/{id}", Load);
        app.MapPut("/requests/{id}", Save);
    }

    /// <summary>Takes the lock or extends it: there is no call to renew. Pages hear of new locks, not of extensions.</summary>
    private static async Task<IResult> Claim(
        string id, ClaimsPrincipal user, FoundingLocks locks, IHubContext<EntityHub> hub)
    {
        var caller = Caller.Of(user);
        var before = await locks.Find(caller.Tenant, id);
        var record = await locks.Claim(caller, id);
        if (record.HolderOid != caller.Oid) return Locked(record);
        if (before?.HolderOid != caller.Oid)
            await hub.Tell(caller.Tenant, new EntityNews("locked", record.EntityType, id, record));
        return Results.Ok(new { granted = true, record });
    }

    private static async Task<IResult> Release(
        string id, ClaimsPrincipal user, FoundingLocks locks, IHubContext<EntityHub> hub)
    {
        var caller = Caller.Of(user);
        var ended = await locks.Release(caller, id);
        if (ended is null) return Results.NotFound();
        await hub.Tell(caller.Tenant, new EntityNews("unlocked", ended.EntityType, id, ended));
        return Results.NoContent();
    }

    private static async Task<IResult> List(ClaimsPrincipal user, FoundingLocks locks)
    {
        var items = await locks.List(Caller.Of(user).Tenant);
        return Results.Ok(new { count = items.Count, items });
    }

    private static ApprovalRequest Load(string id, ClaimsPrincipal user, ApprovalRequests requests) =>
        requests.Load(Caller.Of(user).Tenant, id);

    private static async Task<IResult> Save(
        string id,
        ApprovalRequest request,
        ClaimsPrincipal user,
        ApprovalRequests requests,
        FoundingLocks locks,
        IHubContext<EntityHub> hub)
    {
        var caller = Caller.Of(user);
        var record = await locks.Find(caller.Tenant, id);
        if (record is not null && record.HolderOid != caller.Oid) return Locked(record);
        requests.Save(caller.Tenant, request with { Id = id });
        var by = new Person(caller.Oid, caller.Name);
        await hub.Tell(caller.Tenant, new EntityNews("saved", ApprovalRequests.EntityType, id, By: by));
        return Results.NoContent();
    }

    private static IResult Locked(LockRecord record) => Results.Conflict(new
    {
        granted = false,
        message = $"{record.HolderName} is editing this request.",
        lockedBy = record,
    });
}
