import { Router, json } from 'express';
import { DEMO_USERS, isDemoUserKey } from './demo-users.ts';
import type { DemoTokens } from './demo-tokens.ts';

/** `POST /demo/token { user }` → `{ token, expiresInMs }`: the demo's stand-in for signing in. Knows its own users only. */
export function demoTokenRoutes(tokens: DemoTokens): Router {
  return Router().post('/token', json({ limit: '1kb' }), async (request, response) => {
    const user: unknown = (request.body as { readonly user?: unknown } | undefined)?.user;
    response.set('cache-control', 'no-store');
    if (isDemoUserKey(user)) {
      response.json(await tokens.sign(user));
      return;
    }
    const detail = `user: expected one of ${Object.keys(DEMO_USERS).join(', ')}.`;
    response.status(400).type('application/problem+json');
    response.send(
      JSON.stringify({ title: 'Bad Request', status: 400, detail, code: 'bad-request', field: 'user' }),
    );
  });
}
