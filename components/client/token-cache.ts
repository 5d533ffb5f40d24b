/** Where tokens come from: the application's own function, or nowhere. */
export type GetToken = () => string | Promise<string>;

/**
 * The last bearer token, in memory alone. Asks the application when there is none or the last was refused, and never
 * more than once at a time, however many calls and reconnections need one.
 */
export class TokenCache {
  readonly #getToken: GetToken | undefined;
  #current = '';
  #asking: Promise<string> | null = null;

  constructor(getToken: GetToken | undefined) {
    this.#getToken = getToken;
  }

  /** The token at hand, `""` where there is none: for a page that is being left and cannot wait. */
  get current(): string {
    return this.#current;
  }

  /** A token, `""` where the application gives none. Rejects as `getToken` does. */
  async get(): Promise<string> {
    if (this.#current !== '' || this.#getToken === undefined) return this.#current;
    this.#asking ??= this.#ask(this.#getToken);
    return this.#asking;
  }

  /** A token was refused: the next call asks for another, unless that has happened already. */
  refuse(token: string): void {
    if (token === this.#current) this.#current = '';
  }

  async #ask(getToken: GetToken): Promise<string> {
    try {
      return (this.#current = await getToken());
    } finally {
      this.#asking = null;
    }
  }
}
