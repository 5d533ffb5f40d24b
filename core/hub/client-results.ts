import type { Timers } from '../timers.ts';
import type { CompletionMessage } from './hub-message.ts';
import { HubError } from './hub-error.ts';

interface Awaited {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: unknown;
}

/**
 * The answers that one connection's client still owes. Ids are the server's own and this connection's alone, so no
 * other client can answer in its place.
 */
export class ClientResults {
  readonly #timers: Timers;
  readonly #onChange: () => void;
  readonly #awaited = new Map<string, Awaited>();
  #next = 1;

  /** `onChange`: `size` may be another. */
  constructor(timers: Timers, onChange: () => void) {
    this.#timers = timers;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#awaited.size;
  }

  /** Sends a call by `send(id)` and resolves with the client's result. Rejects with a `HubError`. */
  ask(target: string, timeoutMs: number, send: (invocationId: string) => void): Promise<unknown> {
    const id = `s${this.#next}`;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      const timer = this.#timers.set(() => {
        this.#settle(id)?.reject(
          new HubError(`The client did not answer '${target}' within ${timeoutMs} ms.`),
        );
      }, timeoutMs);
      this.#awaited.set(id, { resolve, reject, timer });
      try {
        send(id);
        this.#onChange();
      } catch (error) {
        this.#settle(id);
        throw error; // rejects: arguments that cannot be written
      }
    });
  }

  /** A completion that nobody waits for is ignored. */
  complete({ invocationId, error, result }: CompletionMessage): void {
    const awaited = this.#settle(invocationId);
    if (error === undefined) awaited?.resolve(result);
    else awaited?.reject(new HubError(error));
  }

  /** The client is gone. */
  endAll(): void {
    for (const id of [...this.#awaited.keys()]) {
      this.#settle(id)?.reject(new HubError('The connection was closed before the client answered.'));
    }
  }

  #settle(id: string): Awaited | undefined {
    const awaited = this.#awaited.get(id);
    this.#awaited.delete(id);
    this.#timers.clear(awaited?.timer);
    this.#onChange();
    return awaited;
  }
}
