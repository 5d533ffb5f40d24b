/**
 * The states of one form's lease, from the form's point of view.
 *
 * | state | enters when | the form is |
 * | --- | --- | --- |
 * | `idle` | nothing was claimed yet | editable |
 * | `claiming` | a claim is on its way, and there was no answer yet | blocked |
 * | `mine` | the claim was acquired, or a lapsed lease was resumed | editable |
 * | `held` | somebody else holds the lock | blocked, waiting |
 * | `lost` | it was mine, and another person has it or had it since | blocked, readable |
 * | `unknown` | the store or the API cannot say (outage, no answer in time) | editable, with a notice |
 * | `error` | the server refused for good (`type-not-lockable`, 401, …) | editable, with a notice |
 * | `released` | this page let go | editable by nobody's leave: the guard shows how to go on |
 */
export type LeaseState = 'idle' | 'claiming' | 'mine' | 'held' | 'lost' | 'unknown' | 'error' | 'released';

/** The states in which nothing may be typed. */
export const BLOCKED_STATES: ReadonlySet<LeaseState> = new Set(['claiming', 'held', 'lost']);
