using System.Text.Encodings.Web;
using System.Text.Json;

namespace Approvals.Client;

/// <summary>Runs steps one after the other, and prints how each of them went.</summary>
public sealed class Steps
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public bool HaveFailed { get; private set; }

    public int Count { get; private set; }

    /// <summary>What <paramref name="run"/> returns is printed as JSON on one line.</summary>
    public async Task Run(string name, Func<Task<object?>> run)
    {
        Count++;
        try
        {
            var seen = await run().WaitAsync(Patience);
            Print($"ok {name} {JsonSerializer.Serialize(seen, Json)}");
        }
        catch (Exception error)
        {
            HaveFailed = true;
            Print($"fail {name} {error.ToString().ReplaceLineEndings(" | ")}");
        }
    }

    private static void Print(string line) => Console.Out.WriteLine(line);
}
