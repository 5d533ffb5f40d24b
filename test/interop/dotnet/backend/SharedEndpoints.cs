using System.Security.Claims;

namespace Approvals;

/// <summary>The same locks in an API of this application's own style, over the scripts that both servers run.</summary>
public static class SharedEndpoints
{
    public static void MapSharedLocks(this IEndpointRouteBuilder app)
    {
        app.MapPut("/requests/{id}/lock", Claim);
        app.MapPatch("/requests/{id}/lock", Renew);
        app.MapDelete("/requests/{id}/lock", Release);
        app.MapPost("/requests/{id}/lock/taker", TakeOver);
    }

    private static Task<IResult> Claim(
        string id, [AsParameters] FormQuery query, ClaimsPrincipal user, SharedLocks locks) =>
        Answer(locks.Claim(Caller.Of(user), id, query.Form));

    private static Task<IResult> Renew(
        string id, [AsParameters] FormQuery query, ClaimsPrincipal user, SharedLocks locks) =>
        Answer(locks.Renew(Caller.Of(user), id, query.Form));

    private static Task<IResult> Release(
        string id, [AsParameters] FormQuery query, ClaimsPrincipal user, SharedLocks locks) =>
        Answer(locks.Release(Caller.Of(user), id, query.Form));

    private static Task<IResult> TakeOver(
        string id, string from, [AsParameters] FormQuery query, ClaimsPrincipal user, SharedLocks locks) =>
        Answer(locks.TakeOver(Caller.Of(user), id, from, query.Form));

    private static async Task<IResult> Answer(Task<ScriptAnswer> asked)
    {
        var answer = await asked;
        return answer.Outcome == "held" ? Results.Conflict(answer) : Results.Ok(answer);
    }

    public sealed record FormQuery(string? Session, int? GraceMs, long? Fence)
    {
        public Form Form => new(Session ?? "", GraceMs ?? 0, Fence ?? 0);
    }
}
