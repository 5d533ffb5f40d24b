import type { LockTransport } from './lock-transport.ts';

/** Where the API and the hub are, and how to be let in. Every part has a default; a call names all that differs. */
export interface RowlockConfig {
  /** Base path or URL of the lock API. Default `/api`. */
  readonly api?: string;
  /** Path or URL of the hub. Default `/hubs/entity-changes`. */
  readonly hub?: string;
  /**
   * Gives a bearer token. Asked before the first call and after a 401, never more than once at a time; the last token
   * stays in memory, so that it is at hand while the page is being left. Absent = no token: cookies, or headers.
   */
  readonly getToken?: () => string | Promise<string>;
  /** Headers of every call, and of the hub's negotiation. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** As of `fetch`. Default `same-origin`. */
  readonly credentials?: RequestCredentials;
  /** What makes the calls. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Another way to speak with a backend; the other parts are then not used. */
  readonly transport?: LockTransport;
}
