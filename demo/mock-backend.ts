import { http, type RequestHandler } from 'msw';
import { lockable } from '../core/index.ts';
import { createMockBackend, guardMockWrite, startMockWorker, type MockBackend } from '../mocks/index.ts';
import { answerApprovalCall, type ApprovalCall } from './approval-api.ts';
import { ApprovalDesk } from './approval-desk.ts';
import type { DemoBackend } from './demo-backend.ts';
import { DEMO_USERS, type DemoUserKey } from './demo-users.ts';

const ENTITY_TYPE = 'ApprovalRequest';
/** Enough to see that something is on its way. */
const LATENCY_MS = 80;

/**
 * The whole demo without a server: locks, hub and approval requests in this very page, behind its own `fetch` and
 * `WebSocket`. Resolves once requests are caught. Other tabs have a mock of their own. Rejects where a page may have no
 * service worker (over plain HTTP elsewhere than on this machine).
 */
export async function startDemoMock(): Promise<Pick<DemoBackend, 'tokensFor' | 'fail'>> {
  const tokenOf = (user: DemoUserKey) => `mock-token-of-${user}`;
  const users = Object.values(DEMO_USERS).map(({ key, principal }) => ({
    ...principal,
    token: tokenOf(key),
  }));
  const backend = createMockBackend({ types: [lockable(ENTITY_TYPE)], users, latencyMs: LATENCY_MS });
  await startMockWorker(backend, {
    extraHandlers: approvalHandlers(backend, new ApprovalDesk()),
    serviceWorkerUrl: new URL('mockServiceWorker.js', document.baseURI).pathname,
  });
  return {
    tokensFor: (user) => () => Promise.resolve(tokenOf(user)),
    fail: (failure) => backend.setFailure(failure),
  };
}

function approvalHandlers(backend: MockBackend, desk: ApprovalDesk): readonly RequestHandler[] {
  async function answer(
    request: Request,
    verb: ApprovalCall['verb'],
    id: string,
    body?: unknown,
  ): Promise<Response> {
    const ifMatch = request.headers.get('if-match');
    const call = { verb, id, body, ifMatch, principal: backend.principalFor(request) };
    const { status, headers, body: result } = answerApprovalCall(desk, call);
    return new Response(JSON.stringify(result), { status, headers });
  }

  async function write(
    request: Request,
    verb: 'save' | 'approve' | 'reject',
    id: string,
    body?: unknown,
  ): Promise<Response> {
    const isDecision = verb !== 'save';
    const after = { releaseAfter: isDecision, hold: isDecision };
    const guard = await guardMockWrite(backend, request, { type: ENTITY_TYPE, uid: id, ...after });
    if (guard.problem !== null) return guard.problem;
    const response = await answer(request, verb, id, body);
    await guard.afterWrite(response);
    return response;
  }

  return [
    http.get('*/api/requests', ({ request }) => answer(request, 'list', '')),
    http.get('*/api/requests/:id', ({ request, params }) => answer(request, 'get', String(params['id']))),
    http.put('*/api/requests/:id', async ({ request, params }) => {
      const body: unknown = await request.json().catch(() => undefined);
      return write(request, 'save', String(params['id']), body);
    }),
    http.post('*/api/requests/:id/approve', ({ request, params }) =>
      write(request, 'approve', String(params['id'])),
    ),
    http.post('*/api/requests/:id/reject', ({ request, params }) =>
      write(request, 'reject', String(params['id'])),
    ),
  ];
}
