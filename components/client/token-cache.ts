/** Where tokens come from: the application's own function, or nowhere. */
export type GetToken = () => string | Promise<string>;

/** The last bearer token, in memory alone. */
export interface TokenCache {
  /** The token at hand, `""` where there is none: for a page that is being left and cannot wait. */
  current(): string;
  /** A token, `""` where the application gives none. Rejects as `getToken` does. */
  get(): Promise<string>;
  /** A token, by default the one at hand, was refused: the next call asks for another, unless that has happened. */
  refuse(refused?: string): void;
}

/**
 * Asks the application when there is no token or the last was refused, and never more than once at a time, however
 * many calls and reconnections need one.
 */
export function tokenCache(getToken: GetToken = () => ''): TokenCache {
  let token = '';
  let asking: Promise<string> | null = null;
  return {
    current: () => token,
    get: async () =>
      token ||
      (asking ??= Promise.resolve()
        .then(getToken)
        .then((fresh) => (token = fresh))
        .finally(() => (asking = null))),
    refuse(refused = token) {
      if (refused === token) token = '';
    },
  };
}
