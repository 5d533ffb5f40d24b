/** What clients of the HTTP transports send comes in POST requests, one after the other; a paused one has to wait. */
export class PostedInput {
  #last: Promise<void> = Promise.resolve();
  #paused: Promise<void> | null = null;
  #goOn = () => {};
  #waiting = 0;

  /** Requests that are not through: the one whose turn it is, and those behind it. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs when all earlier ones are through. */
  inTurn(run: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    const turn = this.#last.then(run).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = turn.catch(() => {}); // its own request reports it; the next one is not to blame
    return turn;
  }

  /** Resolves when the connection is read on: the next request is not taken before that. */
  async reading(): Promise<void> {
    await this.#paused;
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  resume(): void {
    this.#paused = null;
    this.#goOn();
  }
}
