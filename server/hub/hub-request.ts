import type { IncomingMessage } from 'node:http';

/** A request to the hub, as far as its address tells. Query names are read in any case, as ASP.NET does. */
export interface HubRequest {
  /** `''` = the hub itself, `/negotiate` = its negotiation. */
  readonly route: string;
  readonly id: string | null;
  readonly negotiateVersion: string | null;
}

/**
 * Reads a hub request's address; null where it is not below `hubPath` (compared in any case). The `access_token` of a
 * browser's WebSocket, which cannot send headers, moves to the `Authorization` header unless there is one. From then
 * on the request's own `url` has no query: nothing that logs it can log a secret.
 */
export function readHubRequest(request: IncomingMessage, hubPath: string): HubRequest | null {
  const url = request.url ?? '';
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const prefix = hubPath.toLowerCase();
  const lower = path.toLowerCase();
  if (lower !== prefix && !lower.startsWith(`${prefix}/`)) return null;
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) query.set(name.toLowerCase(), value);
  const token = query.get('access_token');
  if (token !== undefined) request.headers.authorization ??= `Bearer ${token}`;
  request.url = path;
  return {
    route: lower.slice(prefix.length).replace(/\/$/, ''),
    id: query.get('id') ?? null,
    negotiateVersion: query.get('negotiateversion') ?? null,
  };
}
