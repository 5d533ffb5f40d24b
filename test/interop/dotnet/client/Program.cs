// The real .NET client at our hubs, step by step. Prints one line a step: `ok <step> <what it saw, as JSON>` or
// `fail <step> <why>`, and at last `done <number of steps>`. Ends with 0 where every step came to its end; what it saw
// is judged by the test that started it.
using Approvals.Client;
using Microsoft.AspNetCore.Http.Connections;

var options = args.Chunk(2).ToDictionary(pair => pair[0].TrimStart('-'), pair => pair[1]);
var talk = new Talk(
    Transport: Enum.Parse<HttpTransportType>(options["transport"]),
    IsMessagePack: options["protocol"] == "messagepack",
    Token: options["token"]);
var steps = new Steps();

await new StartingSteps(talk, options["hub"], options["redirecting"]).Run(steps);
await new CallingSteps(talk, options["hub"]).Run(steps);
await new StreamingSteps(talk, options["hub"]).Run(steps);
await new EndingSteps(talk, options["hub"]).Run(steps);
await new EntityChangeSteps(talk, new Uri(options["rowlock"])).Run(steps);
Console.WriteLine($"done {steps.Count}");
return steps.HaveFailed ? 1 : 0;
