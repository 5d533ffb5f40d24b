import { ApprovalError } from './approval-error.ts';
import type { ApprovalEdit, ApprovalRequest, ApprovalStatus } from './approval-request.ts';
import { approvalSeed } from './approval-seed.ts';

export interface ApprovalDeskOptions {
  /** The rows a tenant starts with. */
  readonly seed?: (nowMs: number) => readonly ApprovalRequest[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The application that Rowlock protects: approval requests in memory, per tenant. It knows nothing of locks, and is
 * right without them: a decision is a conditional change of state, and an edit may name the version it rests on.
 */
export class ApprovalDesk {
  readonly #tenants = new Map<string, Map<string, ApprovalRequest>>();
  readonly #seed: (nowMs: number) => readonly ApprovalRequest[];
  readonly #now: () => number;

  constructor({ seed = approvalSeed, now = Date.now }: ApprovalDeskOptions = {}) {
    this.#seed = seed;
    this.#now = now;
  }

  /** All requests of the tenant, by id. */
  list(tenant: string): readonly ApprovalRequest[] {
    return [...this.#requests(tenant).values()];
  }

  /** Throws `not-found`. */
  get(tenant: string, id: string): ApprovalRequest {
    const request = this.#requests(tenant).get(id);
    if (request !== undefined) return request;
    throw new ApprovalError('not-found', `There is no request ${id}.`);
  }

  /**
   * Changes an open request. Throws `already-decided`, and `version-conflict` where `version` is given and is not the
   * present one.
   */
  save(tenant: string, id: string, edit: ApprovalEdit, version?: number): ApprovalRequest {
    const request = this.#open(tenant, id);
    if (version !== undefined && version !== request.version) {
      throw new ApprovalError('version-conflict', `${id} has changed since version ${version}.`, { request });
    }
    return this.#put(tenant, {
      ...request,
      customer: edit.customer ?? request.customer,
      amount: edit.amount ?? request.amount,
      note: edit.note ?? request.note,
    });
  }

  /** Decides an open request, exactly once. Whoever comes second gets `already-decided` with the present request. */
  decide(
    tenant: string,
    id: string,
    status: Exclude<ApprovalStatus, 'open'>,
    decidedBy: string,
  ): ApprovalRequest {
    const request = this.#open(tenant, id);
    return this.#put(tenant, {
      ...request,
      status,
      decidedBy,
      decidedAtUtc: new Date(this.#now()).toISOString(),
    });
  }

  /** Back to the first rows. */
  reset(tenant: string): void {
    this.#tenants.delete(tenant);
  }

  #open(tenant: string, id: string): ApprovalRequest {
    const request = this.get(tenant, id);
    if (request.status === 'open') return request;
    const message = `${id} was already ${request.status} by ${request.decidedBy ?? 'somebody'}.`;
    throw new ApprovalError('already-decided', message, { request });
  }

  #put(tenant: string, request: ApprovalRequest): ApprovalRequest {
    const next = { ...request, version: request.version + 1 };
    this.#requests(tenant).set(next.id, next);
    return next;
  }

  #requests(tenant: string): Map<string, ApprovalRequest> {
    let requests = this.#tenants.get(tenant);
    if (requests === undefined) {
      requests = new Map(this.#seed(this.#now()).map((request) => [request.id, request]));
      this.#tenants.set(tenant, requests);
    }
    return requests;
  }
}
