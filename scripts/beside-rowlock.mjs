/**
 * A plugin of vite for a script that is loaded beside rowlock.js: what both need is the page's one copy, the global
 * `Rowlock`, so that they share one client and one table of texts.
 *
 * @returns {import('vite').Plugin}
 */
export function besideRowlock() {
  /** @type {Readonly<Record<string, readonly string[]>>} */
  const SHARED = {
    'client/index.ts': ['defaultClient'],
    'lock-messages.ts': ['fillMessage', 'lockMessage', 'registerMessages'],
  };
  const PREFIX = '\0beside-rowlock:';
  return {
    name: 'rowlock:beside-rowlock',
    enforce: 'pre',
    resolveId(source) {
      const name = Object.keys(SHARED).find((path) => source === `./${path}`);
      return name === undefined ? null : PREFIX + name;
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const names = SHARED[id.slice(PREFIX.length)] ?? [];
      return `if (!globalThis.Rowlock) throw new Error('rowlock-lock-list.js: load rowlock.js before it.');
export const { ${names.join(', ')} } = globalThis.Rowlock;`;
    },
  };
}
