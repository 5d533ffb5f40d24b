import { FENCE_HEADER, type LiveLock } from '../core/index.ts';
import type { ApprovalEdit, ApprovalRequest } from './approval-request.ts';
import type { TokenSource } from './token-source.ts';
import type { WireTap } from './wire-tap.ts';

/** A call that was refused, or got no answer (`status` 0, `code` "no-answer"). */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly code: string;
  /** The part of the request at fault. */
  readonly field: string | null;
  /** The lock in the way. */
  readonly lock: LiveLock | null;
  /** The request's present state. */
  readonly request: ApprovalRequest | null;

  constructor(status: number, problem: ProblemBody) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? '';
    this.field = problem.field ?? null;
    this.lock = problem.lock ?? null;
    this.request = problem.request ?? null;
  }
}

interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly field?: string;
  readonly lock?: LiveLock | null;
  readonly request?: ApprovalRequest;
}

/** On what a write rests. */
export interface WriteBasis {
  /** The fence of the lock under which the form was open; absent without a lock. */
  readonly fence?: number | undefined;
  readonly version?: number;
}

/** The approval API as one user calls it. Rejects with {@link RequestRefused}. */
export class RequestClient {
  readonly #getToken: TokenSource;
  readonly #fetch: typeof fetch;

  constructor({ getToken, tap }: { readonly getToken: TokenSource; readonly tap?: WireTap }) {
    this.#getToken = getToken;
    this.#fetch = tap?.fetch ?? ((input, init) => fetch(input, init));
  }

  async list(): Promise<readonly ApprovalRequest[]> {
    const { requests } = await this.#call<{ readonly requests: readonly ApprovalRequest[] }>('GET', '');
    return requests;
  }

  get(id: string): Promise<ApprovalRequest> {
    return this.#call('GET', `/${encodeURIComponent(id)}`);
  }

  save(id: string, edit: ApprovalEdit, basis: WriteBasis = {}): Promise<ApprovalRequest> {
    return this.#call('PUT', `/${encodeURIComponent(id)}`, basis, edit);
  }

  decide(id: string, verb: 'approve' | 'reject', basis: WriteBasis = {}): Promise<ApprovalRequest> {
    return this.#call('POST', `/${encodeURIComponent(id)}/${verb}`, basis);
  }

  async #call<Body>(method: string, path: string, basis?: WriteBasis, edit?: ApprovalEdit): Promise<Body> {
    try {
      let response = await this.#send(await this.#getToken(), method, path, basis, edit);
      if (response.status === 401) {
        response = await this.#send(await this.#getToken({ refresh: true }), method, path, basis, edit);
      }
      const body: unknown = await response.json().catch(() => ({}));
      if (!response.ok) throw new RequestRefused(response.status, body as ProblemBody);
      return body as Body;
    } catch (error) {
      if (error instanceof RequestRefused) throw error;
      throw new RequestRefused(0, { code: 'no-answer', detail: 'The server cannot be reached.' });
    }
  }

  #send(
    token: string,
    method: string,
    path: string,
    { fence, version }: WriteBasis = {},
    edit?: ApprovalEdit,
  ): Promise<Response> {
    return this.#fetch(`/api/requests${path}`, {
      method,
      cache: 'no-store',
      headers: {
        authorization: `Bearer ${token}`,
        ...(edit !== undefined && { 'content-type': 'application/json' }),
        ...(fence !== undefined && { [FENCE_HEADER]: String(fence) }),
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      },
      ...(edit !== undefined && { body: JSON.stringify(edit) }),
    });
  }
}
