const NOTHING = new Uint8Array(0);

/**
 * What a client has sent and nobody has read yet: one stream of bytes, whatever frames or requests it came in.
 * Holds a single chunk without copying it, and no memory when it is empty.
 */
export class HubInput {
  #bytes: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  /** Bytes before this were searched already, so that a message in many pieces is not searched again with each. */
  #searched = 0;
  /** Whether `#bytes` is our own, with room behind `#end`. */
  #isOwn = false;

  /** Bytes waiting. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Takes what has come. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.length === 0) {
      this.#bytes = chunk;
      this.#start = this.#searched = 0;
      this.#end = chunk.length;
      this.#isOwn = false;
      return;
    }
    const needed = this.length + chunk.length;
    if (!this.#isOwn || this.#end + chunk.length > this.#bytes.length) this.#move(needed * 2);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The byte at a place from the start; undefined behind the end. */
  at(index: number): number | undefined {
    return index < this.length ? this.#bytes[this.#start + index] : undefined;
  }

  /** Takes what precedes a separator, and the separator away; null where there is none yet. */
  takeUntil(separator: number): Uint8Array | null {
    const found = this.#bytes
      .subarray(0, this.#end)
      .indexOf(separator, Math.max(this.#searched, this.#start));
    if (found < 0) {
      this.#searched = this.#end;
      return null;
    }
    const taken = this.#bytes.subarray(this.#start, found);
    this.#advanceTo(found + 1);
    return taken;
  }

  /** Takes `count` bytes behind the first `skip`, which go too; null where they are not all here yet. */
  take(skip: number, count: number): Uint8Array | null {
    if (this.length < skip + count) return null;
    const from = this.#start + skip;
    const taken = this.#bytes.subarray(from, from + count);
    this.#advanceTo(from + count);
    return taken;
  }

  /** Forgets what is left. */
  clear(): void {
    this.#advanceTo(this.#end);
  }

  #advanceTo(index: number): void {
    this.#start = this.#searched = index;
    if (this.#start < this.#end) return;
    this.#bytes = NOTHING;
    this.#start = this.#end = this.#searched = 0;
    this.#isOwn = false;
  }

  #move(capacity: number): void {
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#bytes.subarray(this.#start, this.#end));
    this.#searched = Math.max(this.#searched - this.#start, 0);
    this.#end -= this.#start;
    this.#start = 0;
    this.#bytes = bytes;
    this.#isOwn = true;
  }
}
