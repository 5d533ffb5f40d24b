import { HubError } from './hub-error.ts';

/** An upload stream, between the client that sends and the method that reads. */
class UploadStream {
  readonly #items: unknown[] = [];
  readonly #taken: () => void;
  #end: { readonly error: string | null } | null = null;
  #wake = () => {};

  constructor(taken: () => void) {
    this.#taken = taken;
  }

  get waiting(): number {
    return this.#items.length;
  }

  push(item: unknown): void {
    this.#items.push(item);
    this.#wake();
  }

  end(error: string | null): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    while (true) {
      if (this.#items.length > 0) {
        const item = this.#items.shift();
        this.#taken();
        yield item;
      } else if (this.#end !== null) {
        if (this.#end.error !== null) throw new HubError(this.#end.error);
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

export interface UploadStreamsOptions {
  /** Items a stream may keep before the client is not read any further. */
  readonly maxItems: number;
  /** `isFull` may be another. */
  readonly onChange: () => void;
}

/** The upload streams of one connection, by id. Items for a stream that is not (or no longer) open are ignored. */
export class UploadStreams {
  readonly #options: UploadStreamsOptions;
  readonly #open = new Map<string, UploadStream>();

  constructor(options: UploadStreamsOptions) {
    this.#options = options;
  }

  /** A stream has as many items as it may keep: the client should not be read any further. */
  get isFull(): boolean {
    for (const { waiting } of this.#open.values()) if (waiting >= this.#options.maxItems) return true;
    return false;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** From now on the stream's items are kept for whoever reads what is answered. */
  open(id: string): AsyncIterable<unknown> {
    const stream = new UploadStream(this.#options.onChange);
    this.#open.set(id, stream);
    return stream;
  }

  item(id: string, item: unknown): void {
    this.#open.get(id)?.push(item);
    this.#options.onChange();
  }

  /** The client's end of a stream; with an error its reader gets a `HubError` of that text, after the items before. */
  complete(id: string, error: string | null): void {
    this.#open.get(id)?.end(error);
    this.#open.delete(id);
  }

  /** The method that read it has ended. Its id may be another stream's by now. */
  drop(id: string, stream: AsyncIterable<unknown> | undefined): void {
    if (this.#open.get(id) === stream) this.#open.delete(id);
    this.#options.onChange();
  }

  /** The client is gone: readers stop with an error, since what they have is not everything. */
  endAll(): void {
    for (const stream of this.#open.values()) stream.end('The connection was closed.');
    this.#open.clear();
  }
}
