import { Router } from 'express';
import type { LockService } from '../core/index.ts';
import { putAnswerHeaders } from './answer-headers.ts';

/**
 * `GET /healthz`: the process answers. `GET /readyz`: which store it has, and what the last call to it came to. Always
 * 200: without the store the server goes on, with every record open, and must stay in the load balancer.
 */
export function healthRouter(service: LockService): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    putAnswerHeaders(response);
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', (_request, response) => {
    putAnswerHeaders(response);
    const store = { kind: service.storeKind, state: service.storeState };
    response.set('Cache-Control', 'no-store').json({ status: 'ok', store });
  });
  return router;
}
