/**
 * Listeners by key. One that throws is reported on the console and stops neither the others nor the caller; the same
 * function added twice is heard twice.
 */
export function listenersByKey<Args extends readonly unknown[]>() {
  const all = new Map<string, Set<readonly [(...args: Args) => void]>>();
  return {
    /** Returns its own unsubscribe. */
    add: (key: string, listener: (...args: Args) => void) => {
      const own = [listener] as const;
      const peers = all.get(key) ?? new Set();
      all.set(key, peers.add(own));
      return () => {
        peers.delete(own);
        if (peers.size === 0 && all.get(key) === peers) all.delete(key);
      };
    },
    /** Calls everybody who is there now and has not left meanwhile. */
    call: (key: string, ...args: Args) => {
      const peers = all.get(key);
      for (const own of [...(peers ?? [])]) {
        try {
          if (peers?.has(own)) own[0](...args);
        } catch (error) {
          // eslint-disable-next-line no-console -- a fault of the application's: its developer is to see it
          console.error(error);
        }
      }
    },
  };
}
