using System.Text;
using Microsoft.AspNetCore.Authentication.JwtBearer;
using Microsoft.IdentityModel.Tokens;

namespace Approvals;

/// <summary>Bearer tokens with Entra's claims (tid, oid, name), signed with a key that is only good for tests.</summary>
public static class TokenSettings
{
    public static void AddTestTokens(this IServiceCollection services, IConfiguration settings)
    {
        services.AddAuthentication(JwtBearerDefaults.AuthenticationScheme).AddJwtBearer(options =>
        {
            options.MapInboundClaims = false;
            options.TokenValidationParameters = new()
            {
                ValidIssuer = settings.Required("token-issuer"),
                ValidAudience = settings.Required("token-audience"),
                IssuerSigningKey = new SymmetricSecurityKey(Encoding.UTF8.GetBytes(settings.Required("token-key"))),
                ClockSkew = TimeSpan.Zero,
            };
            options.Events = new JwtBearerEvents
            {
                // Browsers cannot set headers on a WebSocket.
                OnMessageReceived = context =>
                {
                    string? token = context.Request.Query["access_token"];
                    if (!string.IsNullOrEmpty(token) && context.Request.Path.StartsWithSegments(EntityHub.Path))
                        context.Token = token;
                    return Task.CompletedTask;
                },
            };
        });
        services.AddAuthorization(options => options.FallbackPolicy = options.DefaultPolicy);
    }

    public static string Required(this IConfiguration settings, string name) =>
        settings[name] ?? throw new ArgumentException($"--{name}: expected a value.");
}
