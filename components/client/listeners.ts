/** A set of listeners. One that throws is reported on the console and stops neither the others nor the caller. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();

  get size(): number {
    return this.#all.size;
  }

  /** Returns its own unsubscribe. The same function added twice is heard twice. */
  add(listener: (...args: Args) => void): () => void {
    const own = (...args: Args) => listener(...args);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  /** Calls everybody who is there now and has not left meanwhile. */
  call(...args: Args): void {
    for (const listener of [...this.#all]) {
      try {
        if (this.#all.has(listener)) listener(...args);
      } catch (error) {
        // eslint-disable-next-line no-console -- a fault of the application's: its developer is to see it
        console.error(error);
      }
    }
  }
}
