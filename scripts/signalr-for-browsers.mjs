import { transformSync } from 'esbuild';

/**
 * What is decided before a page loads. SignalR asks at run time whether it is in Node, in React Native or in a browser
 * without fetch, and carries code for each; it writes log messages, which our client switches off (`LogLevel.None`);
 * and it can resume connections with a buffer of sent messages, which our client never asks for.
 *
 * @type {readonly (readonly [question: RegExp, answer: string])[]}
 */
const ANSWERS = [
  [/\bPlatform\.(?:isNode|isReactNative|isWebWorker)\b/g, 'false'],
  [/\bPlatform\.isBrowser\b/g, 'true'],
  [/\btypeof (?:fetch|AbortController) === "undefined"/g, 'false'],
  [/\btypeof (?:fetch|AbortController) !== "undefined"/g, 'true'],
  [/^\s*(?:this\._)?logger\.log\(LogLevel\.\w+, .*\);$/gm, ''],
  [/\bthis\.connection\.features\.reconnect \|\| false/g, 'false'],
  [/\bif \(useStatefulReconnect\)/g, 'if (false)'],
];

/**
 * Makes SignalR smaller in our own bundles, which run in pages with custom elements alone: about 4 KB after gzip. All
 * three transports stay, and whether a page has WebSocket and EventSource is still asked. Private names (`_like`) are
 * shortened, the same in all of its files. Every replacement must still find something, so that a new SignalR that is
 * written differently fails the build here instead of growing or breaking unseen.
 *
 * @returns {import('vite').Plugin}
 */
export function signalrForBrowsers() {
  const counts = ANSWERS.map(() => 0);
  /** @type {Record<string, string | false>} */
  let names = {};
  return {
    name: 'rowlock:signalr-for-browsers',
    transform: {
      filter: { id: /@microsoft[\\/]signalr[\\/]dist[\\/]esm[\\/]/ },
      handler(code) {
        let replaced = code;
        ANSWERS.forEach(([question, answer], index) => {
          replaced = replaced.replace(question, () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return answer;
          });
        });
        const mangled = transformSync(replaced, {
          format: 'esm',
          target: 'es2022',
          mangleProps: /^_[a-z]/,
          mangleCache: names,
        });
        names = mangled.mangleCache;
        // The lines move; an exact map of a vendor's file is not worth its build time.
        return { code: mangled.code, map: null };
      },
    },
    buildEnd(error) {
      const used = counts.some((count) => count > 0);
      if (error === undefined && used && counts.includes(0)) {
        this.error(`SignalR is written differently now: replacements were ${counts.join(', ')}`);
      }
    },
  };
}
