import type { Express, Router } from 'express';

/** What Express keeps of each thing that is mounted. */
interface Layer {
  readonly name: string;
  readonly rawPath: unknown;
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/**
 * Everything that an Express application answers, by its own account: `GET /healthz` for a route, `use /api answer` for a
 * function that may answer whatever is below a path. In the order in which they are asked.
 */
export function mountedRoutes(app: Express | Router, base = ''): readonly string[] {
  const { stack } = ('router' in app ? app.router : app) as unknown as { readonly stack: readonly Layer[] };
  return stack.flatMap((layer) => routesOf(layer, base));
}

function routesOf({ name, rawPath, handle, route }: Layer, base: string): readonly string[] {
  const path = base + String(route?.path ?? rawPath).replace(/\/$/, '');
  if (route !== undefined) {
    return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${path || '/'}`);
  }
  return handle.stack?.flatMap((layer) => routesOf(layer, path)) ?? [`use ${path || '/'} ${name}`];
}
