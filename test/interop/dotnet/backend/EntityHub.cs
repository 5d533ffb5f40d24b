using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.SignalR;

namespace Approvals;

/// <summary>
/// Tells the pages of a tenant what happens to its records. It has no methods to call: whoever connects hears
/// everything of the tenant that the token names.
/// </summary>
[Authorize]
public sealed class EntityHub : Hub
{
    public const string Path = "/hubs/approvals";
    public const string Event = "EntityChanged";

    public override async Task OnConnectedAsync()
    {
        var caller = Caller.Of(Context.User ?? throw new HubException("Nobody is signed in."));
        await Groups.AddToGroupAsync(Context.ConnectionId, GroupOf(caller.Tenant));
        await base.OnConnectedAsync();
    }

    public static string GroupOf(string tenant) => $"tenant:{tenant}";
}

/// <summary>What the hub tells: <c>locked</c> and <c>unlocked</c> with the record, <c>saved</c> with the person.</summary>
public sealed record EntityNews(string What, string Type, string Id, LockRecord? Record = null, Person? By = null);

public sealed record Person(string Oid, string Name);

public static class EntityHubExtensions
{
    public static Task Tell(this IHubContext<EntityHub> hub, string tenant, object news) =>
        hub.Clients.Group(EntityHub.GroupOf(tenant)).SendAsync(EntityHub.Event, news);
}
