import type { DemoUserKey } from './demo-users.ts';

/** What the page's address asks for. */
export interface PageSettings {
  readonly backend: 'live' | 'mock';
  /** Whose desks to show. */
  readonly desks: readonly DemoUserKey[];
  readonly request: string | null;
}

/** Reads `?backend=mock`, `?user=anna | ben` and `?request=REQ-2041`. Anything else is as if it were not there. */
export function readPageSettings(search: string): PageSettings {
  const query = new URLSearchParams(search);
  const user = query.get('user');
  return {
    backend: query.get('backend') === 'mock' ? 'mock' : 'live',
    desks: user === 'anna' || user === 'ben' ? [user] : ['anna', 'ben'],
    request: query.get('request'),
  };
}

/** The same page with another backend. */
export function backendHref(search: string, backend: PageSettings['backend']): string {
  const query = new URLSearchParams(search);
  if (backend === 'mock') query.set('backend', 'mock');
  else query.delete('backend');
  return `?${query.toString()}`;
}
