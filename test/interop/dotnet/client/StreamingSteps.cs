using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>Streams in both directions.</summary>
public sealed class StreamingSteps(Talk talk, string hub)
{
    public async Task Run(Steps steps)
    {
        await using var connection = await talk.Connect(hub);

        await steps.Run("stream", async () =>
        {
            var items = new List<int>();
            await foreach (var item in connection.StreamAsync<int>("Count", 100)) items.Add(item);
            return new { items.Count, IsInOrder = items.SequenceEqual(Enumerable.Range(1, 100)) };
        });

        await steps.Run("stream-as-channel", async () =>
        {
            var channel = await connection.StreamAsChannelAsync<int>("Count", 3);
            var items = new List<int>();
            await foreach (var item in channel.ReadAllAsync()) items.Add(item);
            return items;
        });

        await steps.Run("stream-cancelled", async () =>
        {
            using var enough = new CancellationTokenSource();
            var last = 0;
            var wasCancelled = false;
            try
            {
                await foreach (var item in connection.StreamAsync<int>("Count", int.MaxValue, enough.Token))
                {
                    last = item;
                    if (item == 5) await enough.CancelAsync();
                }
            }
            catch (OperationCanceledException)
            {
                wasCancelled = true;
            }
            while (await connection.InvokeAsync<int>("Cancelled") == 0) await Task.Delay(10);
            return new
            {
                HasBegun = last >= 5,
                WasCancelled = wasCancelled,
                OnTheHub = await connection.InvokeAsync<int>("Cancelled"),
            };
        });

        await steps.Run("upload", async () => await connection.InvokeAsync<int>("Sum", 100, Numbers(50)));

        await steps.Run("upload-and-stream", async () =>
        {
            var items = new List<int>();
            await foreach (var item in connection.StreamAsync<int>("Doubled", Numbers(20))) items.Add(item);
            return items;
        });

        await steps.Run("upload-fails", async () =>
        {
            var words = await Talk.WordsOf(() => connection.InvokeAsync<int>("Sum", 0, FailingNumbers()));
            // This client adds the stack to the words of its error.
            return words.Split('\n')[0];
        });
    }

    private static async IAsyncEnumerable<int> Numbers(int count)
    {
        for (var number = 1; number <= count; number++)
        {
            yield return number;
            await Task.Yield();
        }
    }

    private static async IAsyncEnumerable<int> FailingNumbers()
    {
        yield return 1;
        await Task.Yield();
        throw new InvalidOperationException("the disk is full");
    }
}
