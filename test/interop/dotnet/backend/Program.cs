// An application with locks of its own, as a team may have had before it met Rowlock's elements:
//   dotnet backend.dll --redis <host:port> --lease-ms <n> --port <n, 0 = a free one> --page-origin <origin>
//                      --token-key <text> --token-issuer <text> --token-audience <text>
//                      [--lua <folder>]   instead: share the locks of Rowlock's own server, by its scripts
// Prints "listening on <address>" when it is ready.
using System.Globalization;
using Approvals;
using StackExchange.Redis;

var builder = WebApplication.CreateBuilder(args);
var settings = builder.Configuration;
var lease = TimeSpan.FromMilliseconds(double.Parse(settings.Required("lease-ms"), CultureInfo.InvariantCulture));
var luaFolder = settings["lua"];

builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.UseUrls($"http://127.0.0.1:{settings.Required("port")}");
// Open hub connections do not hold up the end.
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1));
builder.Services.AddTestTokens(settings);
// Pages of another origin read the server's clock only where they are allowed to.
builder.Services.AddCors(options => options.AddDefaultPolicy(policy => policy
    .WithOrigins(settings.Required("page-origin"))
    .AllowAnyHeader()
    .AllowAnyMethod()
    .WithExposedHeaders("Date")));
builder.Services.AddSignalR();
var redis = await ConnectionMultiplexer.ConnectAsync(settings.Required("redis"));
builder.Services.AddSingleton<IConnectionMultiplexer>(redis);
builder.Services.AddSingleton<ApprovalRequests>();
if (luaFolder is null)
    builder.Services.AddSingleton(new FoundingLocks(redis, lease));
else
{
    builder.Services.AddSingleton(new SharedLocks(redis, lease, luaFolder));
    builder.Services.AddHostedService<ChangeRelay>();
}

var app = builder.Build();
app.UseCors();
app.UseAuthentication();
app.UseAuthorization();
// Whoever is connected when the token is over has to come back with another.
app.MapHub<EntityHub>(EntityHub.Path, options => options.CloseOnAuthenticationExpiration = true);
if (luaFolder is null) app.MapFoundingLocks();
else app.MapSharedLocks();

await app.StartAsync();
Console.WriteLine($"listening on {app.Urls.First()}");
await app.WaitForShutdownAsync();
