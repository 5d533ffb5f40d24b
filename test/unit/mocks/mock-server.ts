import { http } from 'msw';
import { setupServer } from 'msw/node';
import { lockable, type LockableOptions } from '../../../core/index.ts';
import {
  createMockBackend,
  type MockBackend,
  type MockBackendOptions,
  type MockUser,
} from '../../../mocks/index.ts';

export const ANNA: MockUser = { token: 'anna-1', tenant: 'acme', oid: 'anna', name: 'Anna', kind: 'user' };
export const BEN: MockUser = { token: 'ben-1', tenant: 'acme', oid: 'ben', name: 'Ben', kind: 'user' };
export const ROBOT: MockUser = {
  token: 'robot-1',
  tenant: 'acme',
  oid: 'robot',
  name: 'Nightly job',
  kind: 'automation',
};
/** A user of another tenant. */
export const EVE: MockUser = { token: 'eve-1', tenant: 'umbrella', oid: 'eve', name: 'Eve', kind: 'user' };

export const ORIGIN = 'http://app.example.test';

/** The status of what the mock backend left alone. */
export const LEFT_ALONE = 418;

/** A mock backend behind this process' own `fetch`, for as long as `run` takes. */
export async function withMockServer(
  options: Partial<MockBackendOptions> & { readonly order?: LockableOptions },
  run: (backend: MockBackend) => Promise<void>,
): Promise<void> {
  const { order = {}, ...given } = options;
  const backend = createMockBackend({
    types: [lockable('Order', order)],
    users: [ANNA, BEN, ROBOT, EVE],
    ...given,
  });
  const rest = http.all('*', () => new Response(null, { status: LEFT_ALONE }));
  const server = setupServer(...backend.handlers, rest);
  server.listen({ onUnhandledRequest: 'error' });
  try {
    await run(backend);
  } finally {
    backend.stop();
    server.close();
  }
}

/** A request that carries a user's token. */
export function requestOf(user: MockUser | null, url: string, init: RequestInit = {}): Request {
  const request = new Request(new URL(url, ORIGIN), init);
  if (user !== null) request.headers.set('authorization', `Bearer ${user.token}`);
  return request;
}

/** Sends it, and reads the whole answer. */
export async function send(user: MockUser | null, method: string, url: string, init: RequestInit = {}) {
  const response = await fetch(requestOf(user, url, { method, ...init }));
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json().catch(() => null)) as Record<string, unknown> | null,
  };
}
