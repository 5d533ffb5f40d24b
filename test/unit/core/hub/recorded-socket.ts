import type { TextSocket } from '../../../../core/index.ts';

const RECORD_SEPARATOR = '\u001e';

/** A socket that keeps what was sent, and how it was closed. */
export class RecordedSocket implements TextSocket {
  /** As sent, one entry per frame. */
  readonly frames: string[] = [];
  readonly closes: number[] = [];

  send(text: string): void {
    if (this.closes.length > 0) throw new Error('sent after close');
    this.frames.push(text);
  }

  close(code: number): void {
    this.closes.push(code);
  }

  /** Every message sent so far, parsed. */
  get messages(): unknown[] {
    return this.frames
      .join('')
      .split(RECORD_SEPARATOR)
      .slice(0, -1)
      .map((text) => JSON.parse(text) as unknown);
  }

  /** The messages since the last call. */
  take(): unknown[] {
    const { messages } = this;
    this.frames.length = 0;
    return messages;
  }
}

/** One message as a client sends it. */
export function frame(message: unknown): string {
  return (typeof message === 'string' ? message : JSON.stringify(message)) + RECORD_SEPARATOR;
}

export const HANDSHAKE = frame({ protocol: 'json', version: 1 });
