import { Router, static as serveStatic } from 'express';
import helmet from 'helmet';
import { join } from 'node:path';

/** No inline scripts or styles, nothing from elsewhere: what the elements need, and proof that they need no more. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** The catalogue, which is also what the bare address shows, and the application that it begins with. */
const PAGES = ['index.html', 'approvals.html'] as const;

/** Serves the built pages from `folder`, and nothing else that lies there. Hashed files may be kept for good. */
export function demoPageRoutes(folder: string): Router {
  return (
    Router()
      // Without HSTS: the demo has no TLS, and its host may be anybody's.
      .use(helmet({ contentSecurityPolicy: false, frameguard: { action: 'deny' }, hsts: false }))
      .get(
        ['/', ...PAGES.map((page) => `/${page}`)],
        helmet.contentSecurityPolicy({ useDefaults: false, directives: POLICY }),
        ({ path }, response) => {
          response.set('cache-control', 'no-cache');
          response.sendFile(join(folder, PAGES.find((page) => path === `/${page}`) ?? PAGES[0]));
        },
      )
      .get('/mockServiceWorker.js', (_request, response) => {
        response.sendFile(join(folder, 'mockServiceWorker.js'), { headers: { 'cache-control': 'no-cache' } });
      })
      .use('/assets', serveStatic(join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }))
  );
}
