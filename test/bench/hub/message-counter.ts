/** SignalR's JSON protocol ends every message with it. */
const RECORD_SEPARATOR = 0x1e;

/** A change is longer than this, in bytes; handshake replies and pings are shorter. */
export const SHORTEST_CHANGE = 200;

/** RFC 6455 section 5.2: from here on opcodes are close, ping and pong, which no server of the bench sends. */
const FIRST_CONTROL_OPCODE = 8;
const LONGEST_HEADER = 10;

/** Where a message ends: several share a frame, or each has its own. */
export type MessageEnd = 'separator' | 'frame';

/**
 * Counts the whole changes in the bytes of one WebSocket, whatever the borders of frames and reads. As light as it can
 * be: it copies and decodes only what is shorter than a change, and with `keepsChanges` the changes, too.
 */
export class MessageCounter {
  readonly #end: MessageEnd;
  readonly #keepsChanges: boolean;
  /** Frames that began. */
  frames = 0;
  /** The texts of whole messages; the owner takes them out. */
  readonly texts: string[] = [];
  /** What a read cut off: the beginning of a frame's header, or of a message that is kept. */
  #header = Buffer.alloc(0);
  #kept: Buffer[] = [];
  #payloadLeft = 0;
  #isFinal = true;
  #messageLength = 0;

  constructor(end: MessageEnd, { keepsChanges = false }: { readonly keepsChanges?: boolean } = {}) {
    this.#end = end;
    this.#keepsChanges = keepsChanges;
  }

  /** Takes the first `length` bytes, which it does not keep. Answers how many changes they completed. */
  take(bytes: Buffer, length: number): number {
    let changes = 0;
    let at = 0;
    while (at < length) {
      if (this.#payloadLeft === 0) {
        at = this.#readHeader(bytes, at, length);
        continue;
      }
      const until = Math.min(length, at + this.#payloadLeft);
      this.#payloadLeft -= until - at;
      while (at < until) {
        const end = this.#messageEnd(bytes, at, until);
        const stop = end ?? until;
        this.#messageLength += stop - at;
        if (this.#keepsChanges || this.#messageLength < SHORTEST_CHANGE) {
          this.#kept.push(Buffer.from(bytes.subarray(at, stop)));
        }
        at = stop;
        if (end !== null) changes += this.#finish();
      }
    }
    return changes;
  }

  /** The index after the message's last byte; null when it goes on after `until`. */
  #messageEnd(bytes: Buffer, from: number, until: number): number | null {
    if (this.#end === 'frame') return this.#payloadLeft === 0 && this.#isFinal ? until : null;
    const at = bytes.indexOf(RECORD_SEPARATOR, from);
    return at < 0 || at >= until ? null : at + 1;
  }

  #finish(): 0 | 1 {
    const isChange = this.#messageLength >= SHORTEST_CHANGE;
    if (!isChange || this.#keepsChanges) this.texts.push(Buffer.concat(this.#kept).toString());
    if (this.#kept.length > 0) this.#kept = [];
    this.#messageLength = 0;
    return isChange ? 1 : 0;
  }

  /** Reads a header, or keeps what there is of it. Answers the index of the first byte after what it read. */
  #readHeader(bytes: Buffer, from: number, length: number): number {
    const carried = this.#header.length;
    const head =
      carried === 0
        ? bytes.subarray(from, Math.min(length, from + LONGEST_HEADER))
        : Buffer.concat([this.#header, bytes.subarray(from, Math.min(length, from + LONGEST_HEADER))]);
    const size = headerSize(head);
    if (size === null) {
      this.#header = Buffer.from(head);
      return length;
    }
    const [first = 0, second = 0] = head;
    if ((first & 0x0f) >= FIRST_CONTROL_OPCODE) {
      throw new Error(`The server sent a control frame, opcode ${first & 0x0f}.`);
    }
    this.frames += 1;
    this.#isFinal = (first & 0x80) !== 0;
    this.#payloadLeft =
      size === 2 ? second & 0x7f : size === 4 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
    if (carried > 0) this.#header = Buffer.alloc(0);
    return from + size - carried;
  }
}

/** A server's frames are never masked. null while the header is not whole. */
function headerSize(head: Buffer): 2 | 4 | 10 | null {
  const second = head[1];
  if (second === undefined) return null;
  const size = second < 126 ? 2 : second === 126 ? 4 : 10;
  return head.length < size ? null : size;
}
