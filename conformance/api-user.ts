import {
  FENCE_HEADER,
  lockPaths,
  type EntityRef,
  type LeaseAnswer,
  type ListAnswer,
  type ReleaseAnswer,
} from '../core/index.ts';
import type { GuardedWrite } from './conformance-options.ts';
import { expectThat } from './mismatch.ts';
import type { Untrusted } from './untrusted.ts';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Headers;
  /** The body where it is JSON, otherwise null. */
  readonly json: Readonly<Record<string, unknown>> | null;
}

export interface RawRequest {
  readonly method: string;
  /** Below the API, already encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** null = without a token. Default: the user's own. */
  readonly token?: string | null;
}

/** A session of one's own, and what it knows. Absent fields are not sent. */
export interface LeaseFields {
  readonly sessionId?: string;
  readonly fence?: number | undefined;
}

/** Long enough for a busy backend, short enough for whoever waits, in milliseconds. */
const ANSWER_WITHIN_MS = 15_000;

/** One caller of the backend under test. The named calls expect a 200 and trust the shape; `raw` expects nothing. */
export class ApiUser {
  readonly token: string;
  readonly #api: string;
  /** What was asked for, so that it can be let go in the end. */
  readonly #asked: { readonly ref: EntityRef; readonly sessionId: string | undefined }[] = [];

  constructor(api: string, token: string) {
    this.#api = api.replace(/\/$/, '');
    this.token = token;
  }

  raw({ method, path, body, token = this.token }: RawRequest): Promise<RawAnswer> {
    return ask(this.#api + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  claim(ref: EntityRef, fields: LeaseFields = {}): Promise<Untrusted<LeaseAnswer>> {
    this.#asked.push({ ref, sessionId: fields.sessionId });
    return this.#ok('POST', lockPaths.claim(ref), fields);
  }

  renew(ref: EntityRef, fields: LeaseFields = {}): Promise<Untrusted<LeaseAnswer>> {
    return this.#ok('POST', lockPaths.renew(ref), fields);
  }

  takeOver(
    ref: EntityRef,
    fields: { readonly sessionId?: string; readonly fromHolderOid: string | undefined },
  ): Promise<Untrusted<LeaseAnswer>> {
    this.#asked.push({ ref, sessionId: fields.sessionId });
    return this.#ok('POST', lockPaths.takeOver(ref), fields);
  }

  release(ref: EntityRef, { sessionId = '', graceMs = 0 } = {}): Promise<Untrusted<ReleaseAnswer>> {
    const query = new URLSearchParams({
      ...(sessionId === '' ? {} : { sessionId }),
      ...(graceMs === 0 ? {} : { graceMs: String(graceMs) }),
    }).toString();
    return this.#ok('DELETE', lockPaths.entity(ref) + (query === '' ? '' : `?${query}`));
  }

  read(ref: EntityRef): Promise<Untrusted<ListAnswer>> {
    return this.#ok('GET', lockPaths.entity(ref));
  }

  list(entityType: string, query = ''): Promise<Untrusted<ListAnswer>> {
    return this.#ok('GET', lockPaths.type(entityType) + query);
  }

  mine(): Promise<Untrusted<ListAnswer>> {
    return this.#ok('GET', lockPaths.mine);
  }

  /** Ends every session that was asked for. What cannot be let go ends with its lease. */
  async letGo(): Promise<void> {
    await Promise.allSettled(
      this.#asked.splice(0).map(({ ref, sessionId }) => this.release(ref, { sessionId: sessionId ?? '' })),
    );
  }

  /** The application's own guarded route. */
  write(
    { url, method = 'PUT', body = '{}' }: GuardedWrite,
    ref: EntityRef,
    fence?: number | string,
  ): Promise<RawAnswer> {
    return ask(url.replace('{uid}', encodeURIComponent(ref.entityUid)), {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...(fence === undefined ? {} : { [FENCE_HEADER]: String(fence) }),
      },
      body,
    });
  }

  async #ok<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { status, json } = await this.raw({ method, path, body });
    expectThat(status === 200 && json !== null, `${method} ${path} to answer 200 with JSON`, {
      status,
      ...json,
    });
    return json as Answer;
  }
}

async function ask(url: string, init: RequestInit): Promise<RawAnswer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const text = await response.text();
  let json: Record<string, unknown> | null = null;
  try {
    json = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not JSON: whoever expects some says so.
  }
  const contentType = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  return { status: response.status, contentType, headers: response.headers, json };
}
