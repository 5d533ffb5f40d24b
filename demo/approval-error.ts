import type { ApprovalRequest } from './approval-request.ts';

/** Every failure of the approval API, and its HTTP status. The lock's own (`entity-locked`, …) come from Rowlock. */
export const APPROVAL_ERROR_STATUS = {
  /** `field` names the part, `detail` says what was expected. */
  'bad-request': 400,
  unauthenticated: 401,
  'not-found': 404,
  /** Somebody decided before: `request` is the present state. The application's own last line. */
  'already-decided': 409,
  /** `If-Match` names an older version (RFC 9110 section 13.1.1): `request` is the present state. */
  'version-conflict': 412,
} as const;

export type ApprovalErrorCode = keyof typeof APPROVAL_ERROR_STATUS;

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
};

export interface ApprovalErrorDetails {
  readonly field?: string;
  readonly request?: ApprovalRequest;
}

/** A failure with a stable `code`; on HTTP the same problem+json (RFC 9457) as the lock API's. */
export class ApprovalError extends Error {
  override readonly name = 'ApprovalError';
  readonly code: ApprovalErrorCode;
  readonly details: ApprovalErrorDetails;

  constructor(code: ApprovalErrorCode, message: string, details: ApprovalErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return APPROVAL_ERROR_STATUS[this.code];
  }

  /** The body that answers the request. */
  toProblem() {
    const title = TITLES[this.status] ?? 'Error';
    return { title, status: this.status, detail: this.message, code: this.code, ...this.details };
  }
}
