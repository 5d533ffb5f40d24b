import type { HubConnection } from '@microsoft/signalr';

/** What happened to a connection, in order. */
export interface Watch {
  /** `reconnecting: <error>`, `reconnected`, `closed: <error>`; without an error `none`. */
  readonly events: readonly string[];
  /** Resolves when the latest event begins like this. */
  seen(beginning: string): Promise<void>;
}

/** Watches a connection from now on. */
export function watch(connection: HubConnection): Watch {
  const events: string[] = [];
  const happened = (event: string, error?: Error) =>
    void events.push(error === undefined ? `${event}: none` : `${event}: ${error.message}`);
  connection.onreconnecting((error) => happened('reconnecting', error));
  connection.onreconnected(() => void events.push('reconnected'));
  connection.onclose((error) => happened('closed', error));
  return {
    events,
    seen: (beginning) =>
      eventually(`an event "${beginning}" after ${JSON.stringify(events)}`, () =>
        events.at(-1)?.startsWith(beginning),
      ),
  };
}

/** The words of a refusal; or that there was none. */
export async function wordsOf(attempt: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await attempt)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Asks until the answer is true: for what arrives by itself, in Node and in browsers alike. */
export async function eventually(what: string, ask: () => unknown, withinMs = 8_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await passing(5);
  }
}

/** For steps that show that nothing happens for a while. */
export function passing(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A name that nobody else uses. */
export function newName(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}
