import type { LockRoute } from '../lock-api.ts';
import { LockError, type LockErrorCode, type LockErrorDetails } from '../lock-error.ts';
import { EXAMPLE_LOCK } from './lock-examples.ts';

/** What the API's document says of one code. */
export interface ProblemEntry {
  readonly when: string;
  /** Which routes answer it. Codes of no route come from unknown paths, or from guarded writes of the application. */
  readonly on: (route: LockRoute) => boolean;
  readonly example: LockError;
}

const everywhere = () => true;
const nowhere = () => false;
const changes = ({ method }: LockRoute) => method !== 'GET';
const holds = ({ body }: LockRoute) => body !== null;

/** Every code, so that a new one does not build before it is described here. */
export const LOCK_PROBLEMS: Readonly<Record<LockErrorCode, ProblemEntry>> = {
  'type-not-lockable': entry(
    'type-not-lockable',
    'Nobody registered the type with `lockable()`.',
    ({ path }) => path.includes(':'),
    'entityType: "Nothing" is not lockable. Register it on the server with lockable("Nothing").',
    { field: 'entityType' },
  ),
  'bad-request': entry(
    'bad-request',
    'The request is malformed; `field` names the part.',
    everywhere,
    'sessionId: expected at most 64 printable ASCII characters.',
    { field: 'sessionId' },
  ),
  unauthenticated: entry(
    'unauthenticated',
    'No token, or one that does not verify.',
    everywhere,
    'The bearer token is not valid here.',
  ),
  'automation-cannot-claim': entry(
    'automation-cannot-claim',
    'Automation writes without locks.',
    holds,
    'Automation writes without locks and never holds one.',
  ),
  'take-over-denied': entry(
    'take-over-denied',
    'The application’s `canTakeOver` said no.',
    ({ operation }) => operation === 'takeOverLock',
    'You may not take this record over from Anna Berg.',
    { lock: EXAMPLE_LOCK },
  ),
  'origin-not-allowed': entry(
    'origin-not-allowed',
    'A change by a page of a foreign origin, without a token.',
    changes,
    'Pages of this origin may not change locks here. Add it to "allowedOrigins".',
  ),
  'not-found': entry(
    'not-found',
    'No such path, or a record that the caller may not see (`canSee`).',
    ({ path }) => path.length > 2,
    'There is no /locks/Order/1/steal here.',
  ),
  'method-not-allowed': entry(
    'method-not-allowed',
    'A path of this API, but not with this method; `Allow` lists those it has.',
    nowhere,
    'PUT is no method of /locks/ApprovalRequest/REQ-1. It has GET, HEAD, DELETE.',
  ),
  'request-timeout': entry(
    'request-timeout',
    'The body did not arrive in time.',
    changes,
    'body: expected all of it within 10000 ms.',
  ),
  'entity-locked': entry(
    'entity-locked',
    'A guarded write of the application: another user holds a live lock.',
    nowhere,
    'Anna Berg is editing this record.',
    { lock: EXAMPLE_LOCK },
  ),
  'stale-fence': entry(
    'stale-fence',
    'A guarded write of the application: somebody else held the record since the `Lock-Fence` of this write.',
    nowhere,
    'Somebody else has had this record since you opened it. Reload it.',
    { lock: null },
  ),
  'write-in-progress': entry(
    'write-in-progress',
    'A guarded write of the application that holds the record (`hold`): another one of the same user is not done yet.',
    nowhere,
    'Your last change of this record is not done yet.',
  ),
  'too-large': entry(
    'too-large',
    'A body over 16,384 bytes.',
    changes,
    'body: expected at most 16384 bytes.',
  ),
  'too-many-requests': entry(
    'too-many-requests',
    'The caller’s budget of a minute is used up; `Retry-After` says when to come back.',
    everywhere,
    'You are calling too often. Come back a little later.',
  ),
  'too-many-locks': entry(
    'too-many-locks',
    'The user holds as many live locks as one may.',
    holds,
    'You hold 500 records already. Close some of them first.',
  ),
  internal: entry(
    'internal',
    'A fault of the server’s own; the reason is in its log alone.',
    everywhere,
    'Something went wrong on the server.',
  ),
  'identity-unavailable': entry(
    'identity-unavailable',
    'Nobody’s identity can be checked at the moment: the token may well be good, so try again.',
    everywhere,
    'Who is calling cannot be checked at the moment.',
  ),
};

function entry(
  code: LockErrorCode,
  when: string,
  on: ProblemEntry['on'],
  detail: string,
  details: LockErrorDetails = {},
): ProblemEntry {
  return { when, on, example: new LockError(code, detail, details) };
}
