/**
 * The entity types that somebody watches, counted: one watch among ten thousand costs no more than one among ten.
 * `changed` is called after every change of the counts.
 */
export function wantedTypes(changed: () => void) {
  const counts = new Map<string, number>();
  return {
    all: () => counts.keys(),
    /** Returns its own end, idempotent. */
    want(entityTypes: readonly string[]): () => void {
      const count = (by: number) => {
        for (const type of entityTypes) {
          const sum = (counts.get(type) ?? 0) + by;
          if (sum) counts.set(type, sum);
          else counts.delete(type);
        }
        changed();
      };
      let isWanted = true;
      count(1);
      return () => {
        if (isWanted) count(-1);
        isWanted = false;
      };
    },
  };
}
