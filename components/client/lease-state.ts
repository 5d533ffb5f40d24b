/**
 * The states of one form's lease, from the form's point of view.
 *
 * | state | enters when | does | leaves when | the form is |
 * | --- | --- | --- | --- | --- |
 * | `idle` | nothing was claimed yet | nothing | `claim()` | editable |
 * | `claiming` | a claim is on its way and there was no answer yet; the page slept past its lease, or came back | asks | any answer; none within `claimTimeoutMs` ⇒ `unknown` | blocked |
 * | `mine` | the claim was acquired, or a lapsed lease was resumed | renews by deadline, at once on waking | another holder ⇒ `lost`; lease over without an answer ⇒ `unknown` | editable |
 * | `held` | somebody else holds the lock | waits; `lock` null = it is free, and the claim comes next | acquired; free and no answer ⇒ `unknown` | blocked |
 * | `lost` | it was mine, and another person has it or had it since | waits as `held` does | as `held` | blocked, readable |
 * | `unknown` | the store or the API cannot say (outage, no answer in time) | asks again | any answer | editable, with a notice |
 * | `error` | the server refused for good (`type-not-lockable`, 401, …) | asks again when the page wakes | `claim()`, any answer | editable, with a notice |
 * | `released` | this page let go, or the server ended the lock (a final decision was made) | nothing | `claim()` | editable by nobody's leave: the guard shows how to go on |
 */
export type LeaseState = 'idle' | 'claiming' | 'mine' | 'held' | 'lost' | 'unknown' | 'error' | 'released';

/** The states in which nothing may be typed. */
export const BLOCKED_STATES: ReadonlySet<LeaseState> = new Set(['claiming', 'held', 'lost']);
