/** Counts what one client sends, second by second. */
export class MessageRate {
  readonly #perSecond: number;
  #second = 0;
  #count = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts one message. Answers whether there are too many: twice as many as a second allows, those before it included. */
  isExceededBy(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      const passed = second - this.#second;
      this.#count = Math.max(this.#count - passed * this.#perSecond, 0);
      this.#second = second;
    }
    this.#count += 1;
    return this.#count > 2 * this.#perSecond;
  }
}
