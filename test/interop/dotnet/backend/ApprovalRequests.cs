using System.Collections.Concurrent;

namespace Approvals;

/// <summary>The application's own records: enough of one to be edited, saved and loaded again. Kept in memory.</summary>
public sealed class ApprovalRequests
{
    public const string EntityType = "ApprovalRequest";

    private readonly ConcurrentDictionary<(string Tenant, string Id), ApprovalRequest> all = new();

    public ApprovalRequest Load(string tenant, string id) =>
        all.GetValueOrDefault((tenant, id)) ?? new ApprovalRequest(id, "");

    public void Save(string tenant, ApprovalRequest request) => all[(tenant, request.Id)] = request;
}

public sealed record ApprovalRequest(string Id, string Note);
