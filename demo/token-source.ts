import type { DemoUserKey } from './demo-users.ts';

/** A token is fetched anew when it has less than this left. */
const EARLY_MS = 60_000;

/** Where a page gets its user's token. Here: from the demo's own token desk; elsewhere: from MSAL or the like. */
export type TokenSource = (options?: { readonly refresh?: boolean }) => Promise<string>;

/** Asks `POST /demo/token` and keeps the answer until shortly before it expires. One request at a time. */
export function demoTokenSource(user: DemoUserKey): TokenSource {
  let current: { readonly token: Promise<string>; readonly untilMs: number } | null = null;

  async function fetchToken(): Promise<string> {
    const response = await fetch('/demo/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user }),
    });
    if (!response.ok) throw new Error(`POST /demo/token answered ${response.status}.`);
    const { token, expiresInMs } = (await response.json()) as { token: string; expiresInMs: number };
    current = { token: Promise.resolve(token), untilMs: Date.now() + expiresInMs - EARLY_MS };
    return token;
  }

  return ({ refresh = false } = {}) => {
    if (current !== null && !refresh && Date.now() < current.untilMs) return current.token;
    const token = fetchToken();
    current = { token, untilMs: Number.POSITIVE_INFINITY };
    token.catch(() => {
      current = null;
    });
    return token;
  };
}
