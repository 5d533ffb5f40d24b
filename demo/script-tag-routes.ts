import { Router } from 'express';
import { join } from 'node:path';

/**
 * `GET /rowlock.js`: the script tag, for pages of any origin. A classic script needs no CORS, but a page elsewhere may
 * load it only when it is marked so. It has no data in it: who may call the API is another question.
 */
export function scriptTagRoutes(folder: string): Router {
  return Router().get('/rowlock.js', (_request, response) => {
    const headers = {
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    };
    response.sendFile(join(folder, 'rowlock.js'), { headers });
  });
}
