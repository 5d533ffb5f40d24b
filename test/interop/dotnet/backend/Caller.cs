using System.Security.Claims;

namespace Approvals;

/// <summary>The user of a request, from the verified token alone.</summary>
public sealed record Caller(string Tenant, string Oid, string Name)
{
    public static Caller Of(ClaimsPrincipal user) =>
        new(Claim(user, "tid"), Claim(user, "oid"), Claim(user, "name"));

    private static string Claim(ClaimsPrincipal user, string type) =>
        user.FindFirstValue(type) ?? throw new InvalidOperationException($"The token has no claim \"{type}\".");
}
