using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>Calls in both directions, the words of every refusal, and messages to groups.</summary>
public sealed class CallingSteps(Talk talk, string hub)
{
    private const int Burst = 200;

    public async Task Run(Steps steps)
    {
        await using var connection = await talk.Connect(hub);

        await steps.Run("invoke", async () =>
        {
            await connection.InvokeAsync("Nothing");
            return new
            {
                Sum = await connection.InvokeAsync<int>("Add", 40, 2),
                Text = await connection.InvokeAsync<string>("Echo", "äöü €😀"),
                List = await connection.InvokeAsync<long[]>("Echo", new long[] { 1, -1, 1L << 40 }),
                Null = await connection.InvokeAsync<string?>("Echo", (object?)null),
                AnyCase = await connection.InvokeAsync<bool>("eCHO", true),
            };
        });

        var refusals = new (string Step, Func<Task> Call)[]
        {
            ("error-with-words", () => connection.InvokeAsync("Fail")),
            ("error-without-words", () => connection.InvokeAsync("Crash")),
            ("error-arguments", () => connection.InvokeAsync("Add", "one", 2)),
            ("error-unknown-method", () => connection.InvokeAsync("NoSuchMethod")),
            ("error-not-allowed", () => connection.InvokeAsync("Forbidden")),
            ("error-stream-called", () => connection.InvokeAsync("Count", 3)),
            ("error-upload-missing", () => connection.InvokeAsync("Sum", 1)),
            ("error-call-streamed", () => Drain(connection.StreamAsync<int>("Echo", 1))),
            ("error-unknown-stream", () => Drain(connection.StreamAsync<int>("NoSuchMethod"))),
            ("error-no-stream", () => Drain(connection.StreamAsync<int>("NoStream"))),
            ("error-before-stream", () => Drain(connection.StreamAsync<int>("FailBeforeStream"))),
            ("error-while-streaming", () => Drain(connection.StreamAsync<int>("CountThenFail"))),
            ("error-words-while-streaming", () => Drain(connection.StreamAsync<int>("CountThenSayWhy"))),
        };
        foreach (var (step, call) in refusals)
            await steps.Run(step, async () => await Talk.WordsOf(call));

        await steps.Run("send", async () =>
        {
            // Nobody waits for these, so none is answered, also not with an error.
            foreach (var method in new[] { "Fail", "NoSuchMethod", "Echo" }) await connection.SendAsync(method, 1);
            return await connection.InvokeAsync<string>("Echo", "still there");
        });

        await steps.Run("client-result", async () =>
        {
            await using var client = talk.Build(hub);
            client.On("Question", (string question) => Task.FromResult($"{question} 42"));
            await client.StartAsync();
            return await client.InvokeAsync<string>("Ask", "How many?");
        });

        await steps.Run("client-without-handler", async () =>
            await Talk.WordsOf(() => connection.InvokeAsync<string>("Ask", "Why?")));

        await steps.Run("client-without-result", async () =>
        {
            await using var client = talk.Build(hub);
            client.On("Question", (string question) => { });
            await client.StartAsync();
            return await Talk.WordsOf(() => client.InvokeAsync<string>("Ask", "Why?"));
        });

        await steps.Run("client-fails", async () =>
        {
            await using var client = talk.Build(hub);
            client.On("Question", (Func<string, string>)(_ => throw new InvalidOperationException("no idea")));
            await client.StartAsync();
            return await Talk.WordsOf(() => client.InvokeAsync<string>("Ask", "Why?"));
        });

        foreach (var perTurn in new[] { Burst, 7 })
        {
            await steps.Run($"broadcast-{perTurn}", async () =>
            {
                await using var other = await talk.Connect(hub);
                var group = Guid.NewGuid().ToString();
                var (here, there) = (await Listen(connection, group), await Listen(other, group));
                await connection.InvokeAsync("Burst", group, Burst, perTurn);
                return new { Here = InOrder(await here), There = InOrder(await there) };
            });
        }
    }

    /// <summary>Joins a group. Answers a task in a task: the inner one ends with everything that is said there.</summary>
    private static async Task<Task<List<int>>> Listen(HubConnection connection, string group)
    {
        var all = new TaskCompletionSource<List<int>>();
        var heard = new List<int>();
        IDisposable? listening = null;
        listening = connection.On<int>("Heard", value =>
        {
            heard.Add(value);
            if (heard.Count < Burst) return;
            listening?.Dispose();
            all.SetResult(heard);
        });
        await connection.InvokeAsync("Join", group);
        return all.Task;
    }

    private static bool InOrder(List<int> heard) => heard.SequenceEqual(Enumerable.Range(1, Burst));

    private static async Task Drain(IAsyncEnumerable<int> items)
    {
        await foreach (var _ in items) { }
    }
}
