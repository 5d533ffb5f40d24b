import { transformSync } from 'esbuild';
import { readFileSync, readdirSync } from 'node:fs';
import { ANSWERS, UNUSED_METHODS } from './signalr-answers.mjs';

/** As TypeScript compiles an enum: its name, then its body. Exported or not. */
const ENUM = /(?<=\bvar )(\w+);\n\(function \(\1\) \{\n([\s\S]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);/g;

const SOURCES = new URL('../node_modules/@microsoft/signalr/dist/esm/', import.meta.url);

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
  const enums = readEnums();
  return {
    name: 'rowlock:signalr-for-browsers',
    transform: {
      filter: { id: /@microsoft[\\/]signalr[\\/]dist[\\/]esm[\\/]/ },
      handler(code) {
        let replaced = withUnixLines(code);
        ANSWERS.forEach(([question, answer], index) => {
          counts[index] = (counts[index] ?? 0) + (replaced.match(question)?.length ?? 0);
          replaced = replaced.replace(question, answer);
        });
        replaced = withoutEnums(replaced, enums);
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
 * TypeScript's enums, by name: their members' values.
 *
 * @returns {ReadonlyMap<string, ReadonlyMap<string, string>>}
 */
function readEnums() {
  const code = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.js'))
    .map((file) => withUnixLines(readFileSync(new URL(file, SOURCES), 'utf8')))
    .join('\n');
  const enums = new Map();
  for (const [, name = '', body = ''] of code.matchAll(ENUM)) {
    const members = [...body.matchAll(/\["(\w+)"\] = ([^;\]]+)/g)].map(([, key, value]) => [key, value]);
    enums.set(name, new Map(/** @type {[string, string][]} */ (members)));
  }
  return enums;
}

/**
 * The code with the values themselves in place of an enum's members. What is left of an enum is a plain object, which
 * bundlers drop where nobody looks a member up by name.
 *
 * @param {string} code
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} enums
 */
function withoutEnums(code, enums) {
  let plain = code.replace(ENUM, (_, /** @type {string} */ name) => {
    const members = [...(enums.get(name) ?? [])].flatMap(([key, value]) =>
      /^\d+$/.test(value) ? [`${key}: ${value}`, `${value}: "${key}"`] : [`${key}: ${value}`],
    );
    return `${name} = { ${members.join(', ')} };`;
  });
  for (const [name, members] of enums) {
    plain = plain.replace(
      new RegExp(`\\b${name}\\.(\\w+)\\b`, 'g'),
      (text, /** @type {string} */ member) => members.get(member) ?? text,
    );
  }
  return plain;
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
 * Some of the files are written with Windows' line ends.
 *
 * @param {string} code
 */
function withUnixLines(code) {
  return code.replaceAll('\r\n', '\n');
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
  /** @type {Map<string, { start: number, end: number }[]>} */
  const methods = new Map();
  for (const statement of program.body) {
    const declaration = /** @type {any} */ (statement).declaration;
    if (declaration?.type !== 'ClassDeclaration' || declaration.id.name !== className) continue;
    for (const member of declaration.body.body) {
      // A getter and a setter share their name.
      methods.set(member.key.name, [...(methods.get(member.key.name) ?? []), member]);
    }
  }
  const cuts = unused.flatMap((name) => {
    const method = methods.get(name);
    if (method === undefined) throw new Error(`SignalR's ${className} has no method ${name} any more`);
    return method;
  });
  cuts.sort((a, b) => b.start - a.start);
  return cuts.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
}
