import { PROBLEM_MEDIA_TYPE, type Principal } from '../core/index.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { readApprovalEdit, readVersion } from './approval-edit.ts';
import { ApprovalError } from './approval-error.ts';
import type { ApprovalRequest } from './approval-request.ts';

/** One call of the approval API, as any HTTP server can hand it over. */
export interface ApprovalCall {
  readonly verb: 'list' | 'get' | 'save' | 'approve' | 'reject';
  /** `""` for `list`. */
  readonly id: string;
  /** The parsed body; looked at by `save` alone. */
  readonly body?: unknown;
  /** The `If-Match` header. */
  readonly ifMatch?: string | null | undefined;
  /** From the verified token; null = nobody. */
  readonly principal: Principal | null;
}

export interface ApprovalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Answers a call; Express and the mock both do it with this. Failures of the caller's making become problem+json. */
export function answerApprovalCall(desk: ApprovalDesk, call: ApprovalCall): ApprovalAnswer {
  try {
    const { principal } = call;
    if (principal === null) throw new ApprovalError('unauthenticated', 'A valid bearer token is needed.');
    const result = run(desk, call, principal);
    const etag = 'version' in result ? { etag: `"${result.version}"` } : undefined;
    return { status: 200, headers: { 'content-type': 'application/json', ...etag }, body: result };
  } catch (error) {
    if (!(error instanceof ApprovalError)) throw error;
    return {
      status: error.status,
      headers: { 'content-type': PROBLEM_MEDIA_TYPE },
      body: error.toProblem(),
    };
  }
}

function run(
  desk: ApprovalDesk,
  { verb, id, body, ifMatch }: ApprovalCall,
  { tenant, name }: Principal,
): ApprovalRequest | { readonly requests: readonly ApprovalRequest[] } {
  switch (verb) {
    case 'list':
      return { requests: desk.list(tenant) };
    case 'get':
      return desk.get(tenant, id);
    case 'save':
      return desk.save(tenant, id, readApprovalEdit(body), readVersion(ifMatch));
    case 'approve':
      return desk.decide(tenant, id, 'approved', name);
    case 'reject':
      return desk.decide(tenant, id, 'rejected', name);
  }
}
