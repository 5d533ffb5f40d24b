import type { BatchFraming, HubProtocol, HubWire, MessageBatch } from '../../../../core/index.ts';

const RECORD_SEPARATOR = '\u001e';

/** One framing for all recorded wires, as real transports have: who is sent the same gets the same object. */
const recording: BatchFraming<{ readonly bytes: Uint8Array }> = { frame: (bytes) => ({ bytes }) };

/** A wire that keeps what was written, and how it was ended. A test plays the client's end of it. */
export class RecordedWire implements HubWire {
  formats: readonly HubProtocol['format'][] = ['Text', 'Binary'];
  keepsAlive = false;
  bufferedBytes = 0;
  takenBytes = 0;
  isPaused = false;
  /** One entry per write, as the transport would frame it. */
  readonly writes: { readonly bytes: Uint8Array }[] = [];
  readonly closes: number[] = [];
  aborts = 0;
  pauses = 0;
  readonly #waiting = new Set<() => void>();

  write(batch: MessageBatch, protocol: HubProtocol): void {
    if (this.closes.length > 0 || this.aborts > 0) throw new Error('written after the end');
    this.writes.push(batch.framed(protocol, recording));
  }

  /** Resolves at once while nothing is buffered; else when the test lets it. */
  drained(): Promise<void> {
    if (this.bufferedBytes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** The client takes everything. */
  drain(): void {
    this.takenBytes += this.bufferedBytes;
    this.bufferedBytes = 0;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  pause(): void {
    this.isPaused = true;
    this.pauses += 1;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(code: number): void {
    this.closes.push(code);
  }

  abort(): void {
    this.aborts += 1;
  }

  /** Every write since the last `take`, as text. */
  get texts(): string[] {
    return this.writes.map(({ bytes }) => new TextDecoder().decode(bytes));
  }

  /** Every message since the last `take`, parsed. Throws where a write does not end with a whole message. */
  get messages(): unknown[] {
    return this.texts.flatMap((text) => {
      const parts = text.split(RECORD_SEPARATOR);
      if (parts.pop() !== '') throw new Error(`A part of a message was written: ${text}`);
      return parts.map((part) => JSON.parse(part) as unknown);
    });
  }

  /** The messages since the last call. */
  take(): unknown[] {
    const { messages } = this;
    this.writes.length = 0;
    return messages;
  }
}
