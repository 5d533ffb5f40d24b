import { DEFAULT_API_PATH } from '../../core/lock-paths.ts';
import { TransportError } from './lock-transport.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import type { TokenCache } from './token-cache.ts';

export interface ApiCall {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The request outlives the page, and is on its way when the call returns: with the token at hand, without a second try. */
  readonly keepalive?: boolean;
}

/** An answer: 2xx, or a failure in the server's own words. */
export interface ApiReply {
  readonly status: number;
  readonly ok: boolean;
  /** Parsed JSON; `{}` where the body is none. */
  readonly body: unknown;
  /** The server's clock by the `Date` header, milliseconds to the second; NaN where it is not shown. */
  readonly serverNowMs: number;
}

/**
 * Makes the function that calls the API: `route` is method and path, such as `POST /locks/ApprovalRequest/42/claim`.
 * It sends the page's token, asks once for another after a 401, and rejects with a transient `TransportError` where
 * there is no answer at all.
 */
export function apiCaller(
  config: RowlockConfig,
  tokens: TokenCache,
): (route: string, call?: ApiCall) => Promise<ApiReply> {
  const { api = DEFAULT_API_PATH, headers, credentials = 'same-origin' } = config;
  const send = (route: string, { body, signal, keepalive = false }: ApiCall, token: string) => {
    const [method = '', path = ''] = route.split(/ (.*)/s);
    return (config.fetch ?? fetch)(api + path, {
      method,
      credentials,
      keepalive,
      signal: signal ?? null,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(typeof headers === 'function' ? headers() : headers),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body ? JSON.stringify(body) : null,
    });
  };
  return async (route, call = {}) => {
    try {
      const token = call.keepalive ? tokens.current : await tokens.get();
      let response = await send(route, call, token);
      if (response.status === 401 && token && !call.keepalive) {
        tokens.refuse(token);
        response = await send(route, call, await tokens.get());
      }
      const { status, ok } = response;
      const serverNowMs = Date.parse(response.headers.get('date') ?? '');
      return { status, ok, serverNowMs, body: parse(await response.text()) };
    } catch (cause) {
      throw new TransportError(String(cause), { cause });
    }
  };
}

/** Problem details (RFC 9457), or whatever else a failure brought, as an error with its stable code. */
export function refusal({ status, body }: ApiReply): TransportError {
  const { detail, title, code } = body as { detail?: string; title?: string; code?: string };
  return new TransportError(detail ?? title ?? `HTTP ${status}`, { status, code: code ?? '' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // nothing, or a proxy's page in HTML: whoever needs an answer says so
  }
}
