import { DEFAULT_API_PATH } from '../../core/lock-paths.ts';
import { ANSWER_WITHIN_MS } from './answer-deadline.ts';
import { TransportError } from './lock-transport.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import type { TokenCache } from './token-cache.ts';

export interface ApiRequest {
  readonly body?: unknown;
  /** The request outlives the page, and is on its way when the call returns: with the token at hand, without a second try. */
  readonly keepalive?: boolean;
}

/**
 * Calls the API below its base path. Answers the parsed JSON of a 2xx, `{}` where it is none; rejects with
 * `TransportError` for everything else.
 */
export type ApiCall = (method: string, path: string, request?: ApiRequest) => Promise<object>;

/** Makes an {@link ApiCall} that sends the page's token, and asks once for another after a 401. */
export function apiCaller(config: RowlockConfig, tokens: TokenCache): ApiCall {
  const { api = DEFAULT_API_PATH, headers, credentials = 'same-origin' } = config;
  return async (method, path, { body, keepalive = false } = {}) => {
    const send = (token: string) =>
      (config.fetch ?? fetch)(api + path, {
        method,
        credentials,
        keepalive,
        // Whoever waits has given up by then: the browser is to give up, too, and not to keep the connection busy.
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(typeof headers === 'function' ? headers() : headers),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: body ? JSON.stringify(body) : null,
      });
    let response: Response;
    let answer: object;
    try {
      const token = keepalive ? tokens.current() : await tokens.get();
      response = await send(token);
      if (response.status === 401 && token && !keepalive) {
        tokens.refuse(token);
        response = await send(await tokens.get());
      }
      // Nothing, or a proxy's page in HTML, is {}: whoever needs an answer says so.
      answer = ((await response.json().catch(() => null)) as object | null) ?? {};
    } catch (cause) {
      throw new TransportError(String(cause), { cause });
    }
    const { status } = response;
    if (response.ok) return answer;
    // Problem details (RFC 9457), or whatever else a failure brought.
    const { detail = `HTTP ${status}`, code = '' } = answer as { detail?: string; code?: string };
    throw new TransportError(detail, { status, code, cause: answer });
  };
}

/** The one look at what a 2xx brought: an answer of this API has that field. */
export function expected<Answer>(answer: object, field: keyof Answer & string): Answer {
  if (field in answer) return answer as Answer;
  throw new TransportError(`No "${field}": not a lock API`, { status: 502 });
}
