/** One member of a sorted set. */
export interface ScoredMember {
  readonly member: string;
  readonly score: number;
}

/** Reads a `WITHSCORES` reply: a flat list on RESP2, pairs on RESP3. Anything else is no members. */
export function readScores(reply: unknown): readonly ScoredMember[] {
  const flat = Array.isArray(reply) ? (reply as unknown[]).flat() : [];
  const found: ScoredMember[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    found.push({ member: String(flat[at]), score: Number(flat[at + 1]) });
  }
  return found;
}
