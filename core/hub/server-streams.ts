import { callController, type CallController } from './call-signal.ts';
import { streamError } from './invocation-error.ts';

/** After so many items or bytes of a connection's streams others get their turn, and what was sent leaves. */
const ITEMS_PER_TURN = 32;
/** ASP.NET's transport buffer. Far below `maxBufferedBytes`, or streams of long items would end their own connection. */
const BYTES_PER_TURN = 65_536;

const CANCELLED = Symbol('cancelled');

export interface ServerStreamsOptions {
  /** Sends an item, and answers how long it is written. Throws where it cannot be written. */
  readonly sendItem: (invocationId: string, item: unknown) => number;
  /** Sends the end: an error, or null for a good one. */
  readonly sendEnd: (invocationId: string, error: string | null) => void;
  /** Resolves when what was sent has left, others had their turn and the client takes more. */
  readonly drained: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * The streams that one connection's client has asked for. They run beside the calls and beside each other, each as fast
 * as the client takes its items. A cancelled one still gets its end, without an error, and its method's `finally` runs.
 */
export class ServerStreams {
  readonly #options: ServerStreamsOptions;
  readonly #running = new Map<string, { readonly controller: CallController; stop: () => void }>();
  /** Of all streams in this turn. */
  #sentItems = 0;
  #sentBytes = 0;
  #turnEnd: Promise<void> | null = null;

  constructor(options: ServerStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  has(invocationId: string): boolean {
    return this.#running.has(invocationId);
  }

  /** Reserves the id, and answers what the method's call is to hear. `run` or `end` must follow. */
  open(invocationId: string): CallController {
    const controller = callController();
    this.#running.set(invocationId, { controller, stop: () => {} });
    return controller;
  }

  /** Sends everything that `items` gives. Never rejects. */
  async run(invocationId: string, items: AsyncIterable<unknown>): Promise<void> {
    const entry = this.#running.get(invocationId);
    if (entry === undefined) return;
    const { signal } = entry.controller;
    const isCancelled = () => signal.aborted;
    // A method that waits inside `next` is not waited for: the client wants no more now.
    const unlessCancelled = <Value>(value: Promise<Value>): Promise<Value | typeof CANCELLED> =>
      new Promise((resolve, reject) => {
        entry.stop = () => resolve(CANCELLED);
        if (isCancelled()) entry.stop();
        value.then(resolve, reject);
      });
    let iterator: AsyncIterator<unknown> | null = null;
    /** It has ended or failed by itself, and wants no disposal. */
    let isOver = false;
    let error: string | null = null;
    try {
      iterator = items[Symbol.asyncIterator]();
      while (!isCancelled()) {
        isOver = true;
        const next = await unlessCancelled(iterator.next());
        isOver = next !== CANCELLED && next.done === true;
        if (next === CANCELLED || next.done === true) break;
        // Others may have used up the turn while this one waited for its item.
        while (this.#isTurnUsed && !isCancelled()) await unlessCancelled(this.#nextTurn());
        if (isCancelled()) break;
        this.#sentBytes += this.#options.sendItem(invocationId, next.value);
        this.#sentItems += 1;
        if (this.#isTurnUsed) await unlessCancelled(this.#nextTurn());
      }
    } catch (thrown) {
      if (!isCancelled()) {
        this.#options.failed(thrown);
        error = streamError(thrown);
      }
    }
    this.end(invocationId, error);
    if (iterator !== null && !isOver) void this.#dispose(iterator);
  }

  /** Ends a stream that was opened. */
  end(invocationId: string, error: string | null): void {
    if (this.#running.delete(invocationId)) this.#options.sendEnd(invocationId, error);
  }

  /** Unknown ids are ignored. */
  cancel(invocationId: string): void {
    const entry = this.#running.get(invocationId);
    entry?.controller.abort();
    entry?.stop();
  }

  /** The client is gone. */
  cancelAll(): void {
    for (const id of [...this.#running.keys()]) this.cancel(id);
  }

  get #isTurnUsed(): boolean {
    return this.#sentItems >= ITEMS_PER_TURN || this.#sentBytes >= BYTES_PER_TURN;
  }

  /** One wait for all streams. */
  #nextTurn(): Promise<void> {
    this.#turnEnd ??= this.#options.drained().then(() => {
      this.#turnEnd = null;
      this.#sentItems = this.#sentBytes = 0;
    });
    return this.#turnEnd;
  }

  async #dispose(iterator: AsyncIterator<unknown>): Promise<void> {
    try {
      await iterator.return?.();
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
