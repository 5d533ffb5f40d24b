import type * as v from 'valibot';
import { LeaseAnswerSchema, ListAnswerSchema, ReleaseAnswerSchema } from './answer-schemas.ts';
import { LEASE_EXAMPLES, LIST_EXAMPLES, RELEASE_EXAMPLES } from './lock-examples.ts';

/** What the API's document says of one route beside what the route's own schemas say. */
export interface OperationEntry {
  readonly summary: string;
  readonly description: string;
  readonly answer: v.GenericSchema;
  /** Answers with 200, by a name. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** A body, where one is taken. */
  readonly bodyExample?: unknown;
}

const { acquired, held, lost, unknown } = LEASE_EXAMPLES;
const form = { sessionId: 'b3c1f0a2' };

/** By the `operation` of `LOCK_ROUTES`. A route without an entry stops the document, and with it the tests. */
export const LOCK_OPERATIONS_DOCUMENTED: Readonly<Record<string, OperationEntry>> = {
  listMyLocks: {
    summary: 'All live locks of the caller',
    description: 'Of every type, whatever node or page made them. Changes nothing.',
    answer: ListAnswerSchema,
    examples: LIST_EXAMPLES,
  },
  listLocks: {
    summary: 'The live locks of a type',
    description: 'Of the caller’s tenant alone. Those that end first come first. Changes nothing.',
    answer: ListAnswerSchema,
    examples: LIST_EXAMPLES,
  },
  readLock: {
    summary: 'The lock of one record',
    description: 'A list of one, or of none where the record is free. Changes nothing.',
    answer: ListAnswerSchema,
    examples: LIST_EXAMPLES,
  },
  claimLock: {
    summary: 'Claim a record when its form is opened',
    description:
      'Free: acquired. The caller’s own: the session is added and the lease extended. Somebody else’s: held, with their lock. The store away: unknown, and the page goes on with a notice.',
    answer: LeaseAnswerSchema,
    examples: { acquired, held, unknown },
    bodyExample: form,
  },
  renewLock: {
    summary: 'Keep a lock while the form is open',
    description:
      'Extends the lease of a session that holds the lock. `lost`: it is no longer one of them; claim again. A lease that lapsed is resumed where nobody else had the record since `fence`.',
    answer: LeaseAnswerSchema,
    examples: { acquired, held, lost, unknown },
    bodyExample: { ...form, fence: 1_772_442_847_312 },
  },
  takeOverLock: {
    summary: 'Take a record over from its holder',
    description:
      'From the holder whom the caller saw, where the application’s `canTakeOver` allows it. Another holder by now: held. Free by now: acquired.',
    answer: LeaseAnswerSchema,
    examples: { acquired, held, unknown },
    bodyExample: { ...form, fromHolderOid: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  },
  releaseLock: {
    summary: 'Let go when the form is closed',
    description:
      'Ends one session of the caller’s own, and with the last one the lock. A late or foreign release does nothing.',
    answer: ReleaseAnswerSchema,
    examples: RELEASE_EXAMPLES,
  },
};
