/**
 * The authenticated caller. Made from a verified token or session alone; nothing a caller can type into a body,
 * query or header ever ends up here.
 */
export interface Principal {
  /** The isolation boundary: keys, hub groups, reads and events never cross it. */
  readonly tenant: string;
  /** The user's stable id (Entra object id). */
  readonly oid: string;
  /** What others read. */
  readonly name: string;
  /** Automation never claims and is never blocked. */
  readonly kind: 'user' | 'automation';
  /** Milliseconds since 1970 from which on the proof (a token) is not accepted any more. Absent = it does not run out. */
  readonly expiresAtMs?: number;
  /** What the caller may do beyond the usual, in the identity provider's words: for `canTakeOver`. Never sent to anybody. */
  readonly roles?: readonly string[];
}
