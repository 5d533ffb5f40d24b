import type { LiveLock } from './entity-lock.ts';

/** Every failure that a caller can meet, and its HTTP status. The codes are stable: switch on them, not on texts. */
export const LOCK_ERROR_STATUS = {
  /** The entity type was never registered with `lockable()`: claims for it fail loudly. */
  'type-not-lockable': 400,
  /** The request is malformed; `field` names the part, `detail` says what was expected. */
  'bad-request': 400,
  /** No token, or one that does not verify. */
  unauthenticated: 401,
  /** Automation writes freely and never holds locks. */
  'automation-cannot-claim': 403,
  /** The application's `canTakeOver` said no. */
  'take-over-denied': 403,
  /** A change that a page of an origin which is not allowed made without a token of its own. */
  'origin-not-allowed': 403,
  /** No such route. */
  'not-found': 404,
  /** The path is one of this API's, but not with this method; `Allow` lists those it has. */
  'method-not-allowed': 405,
  /** The body did not arrive in time. */
  'request-timeout': 408,
  /** Another user holds a live lock; `lock` says who. */
  'entity-locked': 409,
  /** Someone else held the entity since the `Lock-Fence` of this write was given out. */
  'stale-fence': 409,
  /** Another write of the same user on this entity is not done yet: a double click. */
  'write-in-progress': 409,
  /** The body is larger than this API ever needs. */
  'too-large': 413,
  /** The caller's rate budget is used up; `Retry-After` says when to come back. */
  'too-many-requests': 429,
  /** The caller holds as many live locks as one user may. */
  'too-many-locks': 429,
  /** A fault of the server's own; the reason is in its log alone. */
  internal: 500,
  /** Nobody's identity can be checked at the moment (the issuer does not answer): the token may well be good. Try again. */
  'identity-unavailable': 503,
} as const;

/** The stable code of a failure. */
export type LockErrorCode = keyof typeof LOCK_ERROR_STATUS;

/** RFC 9457 problem details, as sent with `application/problem+json`. `type` is absent: "about:blank" (section 4.2.1). */
export interface Problem {
  /** The status in words. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong here, in English, for developers. */
  readonly detail: string;
  /** Stable: switch on this. */
  readonly code: LockErrorCode;
  /** The part of the request at fault, for `bad-request`. */
  readonly field?: string;
  /** The lock in the way: always present for `entity-locked` and `stale-fence` (there it may be null). */
  readonly lock?: LiveLock | null;
}

export interface LockErrorDetails {
  readonly field?: string;
  readonly lock?: LiveLock | null;
  readonly cause?: unknown;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** A failure with a stable `code`. Expected outcomes (`held`, `lost`, `unknown`) are values, never errors. */
export class LockError extends Error {
  override readonly name = 'LockError';
  /** Stable: switch on this. */
  readonly code: LockErrorCode;
  /** The part of the request, and the lock, that it is about. */
  readonly details: LockErrorDetails;

  constructor(code: LockErrorCode, message: string, details: LockErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return LOCK_ERROR_STATUS[this.code];
  }

  /** The body that answers the request. */
  toProblem(): Problem {
    const { field, lock } = this.details;
    return {
      title: TITLES[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
      code: this.code,
      ...(field === undefined ? {} : { field }),
      ...(lock === undefined ? {} : { lock }),
    };
  }
}

/** The media type of every error body (RFC 9457 section 6.1). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
