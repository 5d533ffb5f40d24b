using Microsoft.AspNetCore.SignalR.Client;

namespace Approvals.Client;

/// <summary>
/// What happens to a connection from now on. This client tells of each event on a thread of its own: on a busy machine
/// "reconnected" may be heard before "reconnecting". So the order is not kept here.
/// </summary>
public sealed class EventsOf
{
    private readonly TaskCompletionSource _reconnecting = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _reconnected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<string> _kinds = [];

    public EventsOf(HubConnection connection)
    {
        connection.Reconnecting += error => Happened("reconnecting", error, _reconnecting);
        connection.Reconnected += _ => Happened("reconnected", null, _reconnected);
        connection.Closed += error => Happened("closed", error, _closed);
    }

    /// <summary>All up to now, by the alphabet.</summary>
    public string[] Kinds
    {
        get
        {
            lock (_kinds) return [.. _kinds.Order(StringComparer.Ordinal)];
        }
    }

    /// <summary>The words of the latest error, or null.</summary>
    public string? LastWords { get; private set; }

    /// <summary>Lost, and there again.</summary>
    public Task Reconnected => Task.WhenAll(_reconnecting.Task, _reconnected.Task);

    public Task Closed => _closed.Task;

    private Task Happened(string kind, Exception? error, TaskCompletionSource? done = null)
    {
        lock (_kinds) _kinds.Add(kind);
        if (error is not null) LastWords = error.Message;
        done?.TrySetResult();
        return Task.CompletedTask;
    }
}
