import { transformSync } from 'esbuild';
import { readFileSync, readdirSync } from 'node:fs';

const SOURCES = new URL('../node_modules/@microsoft/signalr/dist/esm/', import.meta.url);

/**
 * What is decided before a page loads. SignalR asks at run time whether it is in Node, in React Native or in a browser
 * without fetch, and carries code for each; it writes log messages, which our client switches off (`LogLevel.None`).
 * Our client connects anew by itself, and neither streams nor resumes connections with a buffer of sent messages.
 *
 * @type {readonly (readonly [question: RegExp, answer: string])[]}
 */
const ANSWERS = [
  [/\bPlatform\.(?:isNode|isReactNative|isWebWorker)\b/g, 'false'],
  [/\bPlatform\.isBrowser\b/g, 'true'],
  [/\btypeof (?:fetch|AbortController) === "undefined"/g, 'false'],
  [/\btypeof (?:fetch|AbortController) !== "undefined"/g, 'true'],
  [/^\s*(?:this\._)?logger\.log\(LogLevel\.\w+, .*\);$/gm, ''],
  // Checks of what a caller passes: our own calls are the only ones, and the same each time.
  [/^\s*Arg\.\w+\(.*\);$/gm, ''],
  [/\bthis\._httpClient\.getCookieString\(url\)/g, '""'],
  // Statistics for servers that ask for them; a page's browser names itself anyway.
  [/const \[name, value\] = getUserAgentHeader\(\);\s*headers\[name\] = value;/g, ''],
  // The JSON protocol is all text.
  [/\bisArrayBuffer\((?:data|content|request\.content)\)/g, 'false'],
  [/\btypeof \(?this\._buffer\[0\]\)? === "string"/g, 'true'],
  [/\btypeof logging === "string"/g, 'false'],
  [/\bnew ConsoleLogger\([\w.]+\)/g, 'NullLogger.instance'],
  [/\bthis\.connection\.features\.reconnect \|\| false/g, 'false'],
  [
    /\bif \((?:this\.features\.reconnect|useStatefulReconnect|this\._messageBuffer\b.*)\) \{$/gm,
    'if (false) {',
  ],
  [/ && this\._reconnectPolicy\) \{$/gm, ' && false) {'],
  [/^\s*this\._(?:reconnect\(error\)|launchStreams\(streams, promiseQueue\));$/gm, ''],
  [/\bthis\._replaceStreamingParams\(args\)/g, '[[], []]'],
  [/case HttpTransportType\.LongPolling:\s*return new LongPollingTransport\(.*\);/g, ''],
];

/**
 * What nothing calls any more, or never did: methods survive tree shaking.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const UNUSED_METHODS = {
  HubConnection: [
    'stream',
    'send',
    'off',
    'onreconnecting',
    'onreconnected',
    '_reconnect',
    '_getNextRetryDelay',
    '_launchStreams',
    '_replaceStreamingParams',
    '_isObservable',
    '_createStreamInvocation',
    '_createCancelInvocation',
    '_createStreamItemMessage',
  ],
  TransportSendQueue: ['_concatBuffers'],
  FetchHttpClient: ['getCookieString'],
  DefaultHttpClient: ['getCookieString'],
  AccessTokenHttpClient: ['getCookieString'],
  HttpClient: ['getCookieString'],
  HubConnectionBuilder: [
    'withHubProtocol',
    'withAutomaticReconnect',
    'withServerTimeout',
    'withKeepAliveInterval',
    'withStatefulReconnect',
  ],
};

/**
 * Makes SignalR smaller in our own bundles, which run in pages with custom elements alone: from 13.9 KB after gzip to
 * about 8. WebSockets and server-sent events stay, long polling goes. Private names (`_like`) are shortened, the same
 * in all of its files. Every replacement must still find something, so that a new SignalR that is written differently
 * fails the build here instead of growing or breaking unseen.
 *
 * @returns {import('vite').Plugin}
 */
export function signalrForBrowsers() {
  const counts = ANSWERS.map(() => 0);
  const unfound = new Set(Object.keys(UNUSED_METHODS));
  const names = shortNames();
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
        for (const [name, unused] of Object.entries(UNUSED_METHODS)) {
          if (!new RegExp(`^export class ${name} `, 'm').test(replaced)) continue;
          replaced = withoutMethods(replaced, this.parse(replaced), name, unused);
          unfound.delete(name);
        }
        // The lines move; an exact map of a vendor's file is not worth its build time.
        return { code: mangle(replaced, names).code, map: null };
      },
    },
    buildEnd(error) {
      const used = counts.some((count) => count > 0);
      if (error === undefined && used && (counts.includes(0) || unfound.size > 0)) {
        this.error(
          `SignalR is written differently now: replacements were ${counts.join(', ')}, not found: ${[...unfound].join()}`,
        );
      }
    },
  };
}

/**
 * Short names for private ones, the same in every build: handed out file by file, the longest first, and not in the
 * order in which a bundler happens to come by.
 */
function shortNames() {
  /** @type {Record<string, string | false>} */
  let names = {};
  const sources = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.js'))
    .sort()
    .map((file) => readFileSync(new URL(file, SOURCES), 'utf8'))
    .sort((one, other) => other.length - one.length);
  for (const code of sources) names = mangle(code, names).mangleCache;
  return names;
}

/**
 * @param {string} code
 * @param {Record<string, string | false>} names
 */
function mangle(code, names) {
  return transformSync(code, {
    format: 'esm',
    target: 'es2022',
    mangleProps: /^_[a-z]/,
    mangleCache: names,
  });
}

/**
 * The code without these methods of one exported class. Throws where one of them is not there.
 *
 * @param {string} code
 * @param {{ readonly body: readonly unknown[] }} program
 * @param {string} className
 * @param {readonly string[]} unused
 */
function withoutMethods(code, program, className, unused) {
  /** @type {Map<string, { start: number, end: number }>} */
  const methods = new Map();
  for (const statement of program.body) {
    const declaration = /** @type {any} */ (statement).declaration;
    if (declaration?.type !== 'ClassDeclaration' || declaration.id.name !== className) continue;
    for (const member of declaration.body.body) methods.set(member.key.name, member);
  }
  const cuts = unused.map((name) => {
    const method = methods.get(name);
    if (method === undefined) throw new Error(`SignalR's ${className} has no method ${name} any more`);
    return method;
  });
  cuts.sort((a, b) => b.start - a.start);
  return cuts.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
}
