import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FENCE_LIFETIME_MS, MAX_GRACE_MS } from '../../../core/index.ts';
import { flattenLua } from '../../../scripts/flatten-lua.mjs';
import { SCRIPT_ARGUMENTS, SCRIPT_NAMES, loadScript } from '../../../server/redis/lua-scripts.ts';

const FOLDER = new URL('../../../lua/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');
const withoutComments = (lua: string) => lua.replace(/--\[\[.*?\]\]/gs, '').replace(/--.*$/gm, '');

const VERBS = SCRIPT_NAMES.map((name) => {
  const source = read(`${name}.lua`);
  const head = /^--\[\[(.*?)\]\]/s.exec(source)?.[1] ?? '';
  const section = (label: string) =>
    new RegExp(`^ {2}${label} (.*?)(?=^ {2}\\w|(?![\\s\\S]))`, 'ms').exec(head)?.[1] ?? '';
  const numbers = (text: string) =>
    [...text.matchAll(/(?:^|\s)(\d+) (?=[a-z])/g)].map((match) => Number(match[1]));
  return {
    name,
    source,
    own: source.slice(source.indexOf(']]') + 2),
    code: withoutComments(loadScript(name).lua),
    keys: numbers(section('KEYS')),
    args: numbers(section('ARGV')),
    reply: section('Reply'),
  };
});
const INCLUDES = readdirSync(new URL('include/', FOLDER)).map((file) => ({
  name: `include/${file}`,
  source: read(`include/${file}`),
}));
const FILES = [...VERBS.map(({ name, source }) => ({ name: `${name}.lua`, source })), ...INCLUDES];

const countTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const usedIndices = (code: string, table: string) =>
  [
    ...new Set(
      [...code.matchAll(new RegExp(`\\b${table}\\[(\\d+)\\]`, 'g'))].map((match) => Number(match[1])),
    ),
  ].sort((a, b) => a - b);

describe('lua/', () => {
  it('has one file per verb', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.lua'));
    assert.deepEqual(files.sort(), SCRIPT_NAMES.map((name) => `${name}.lua`).sort());
  });

  for (const { name, own, code, keys, args, reply } of VERBS) {
    describe(`${name}.lua`, () => {
      it('declares each key that it uses, and uses each that it declares', () => {
        assert.deepEqual(keys, countTo(4));
        assert.deepEqual(usedIndices(code, 'KEYS'), keys);
        assert.equal(loadScript(name).numberOfKeys, keys.length);
      });

      it('declares each argument that it uses, uses each that it declares, and gets as many', () => {
        assert.deepEqual(args, countTo(args.length));
        assert.deepEqual(usedIndices(code, 'ARGV'), args);
        assert.equal(SCRIPT_ARGUMENTS[name].length, args.length);
      });

      it('names in its head every status that it answers, and no other', () => {
        const declared = /status: ([a-z |]+)/
          .exec(reply)?.[1]
          ?.split('|')
          .map((status) => status.trim());
        const known = ['acquired', 'own', 'held', 'lost', 'released', 'kept', 'gone', 'late'];
        const answered = known.filter((status) => own.includes(`'${status}'`));
        assert.deepEqual([...(declared ?? [])].sort(), answered.sort());
      });

      it('reads the clock once, and refuses after the deadline before it does anything else', () => {
        assert.equal(code.match(/'TIME'/g)?.length, 1);
        assert.equal(own.match(/\bclock\(\)/g)?.length, 1);
        const refusal = own.indexOf("if isLate(ARGV[3], now) then return { 'late'");
        assert.equal(refusal > 0, true);
        assert.doesNotMatch(own.slice(0, refusal), /redis\.|live\(|hold\(|publish\(/);
      });

      it('publishes last: nothing but the answer follows', () => {
        const published = [...own.matchAll(/^ *publish\(.*\)\n(.*)$/gm)];
        assert.equal(published.length > 0, true);
        assert.equal(published.length, own.match(/\bpublish\(/g)?.length);
        for (const [, next] of published) assert.match(next ?? '', /^ *return \{/);
      });

      it('replies with seven values in every branch', () => {
        const replies = [...own.matchAll(/return \{ (.*) \}/g)].map(
          (match) => match[1]?.split(/, (?![^()]*\))/).length,
        );
        assert.equal(replies.length > 1, true);
        assert.deepEqual([...new Set(replies)], [7]);
      });

      it('has a body of at most 45 lines', () => {
        assert.equal(own.trim().split('\n').length <= 45, true);
      });
    });
  }

  for (const { name, source } of FILES) {
    const code = withoutComments(source);

    it(`${name}: command names are literal, in upper case`, () => {
      for (const [, argument] of code.matchAll(/redis\.p?call\(([^,)]*)/g))
        assert.match(argument ?? '', /^'[A-Z]+'$/);
      assert.equal(code.match(/redis\./g)?.length, code.match(/redis\.p?call\('/g)?.length);
    });

    it(`${name}: only a publication may fail`, () => {
      for (const [, command] of code.matchAll(/redis\.pcall\('(\w+)'/g))
        assert.match(command ?? '', /^S?PUBLISH$/);
      for (const [, command] of code.matchAll(/redis\.call\('(\w+)'/g))
        assert.doesNotMatch(command ?? '', /PUBLISH/);
    });

    it(`${name}: gives Redis texts alone: numbers only by whole()`, () => {
      for (const argument of callsOf(code, /redis\.p?call\(/g).flatMap(splitTopLevel)) {
        assert.match(argument, TEXT, `${argument} may be a number`);
      }
    });

    it(`${name}: joins texts alone: numbers only by whole()`, () => {
      for (const [, left, right] of code.matchAll(/([\w.\])]+|'[^']*')\s*\.\.(?=\s*([\w.]+\(?|'[^']*'))/g)) {
        assert.match(left ?? '', /^(\)|.*'|.*\)|holder|operation|record)$/, `${left ?? ''} ..`);
        assert.match(right ?? '', /^('.*|whole\(|holder|operation|record)$/, `.. ${right ?? ''}`);
      }
      for (const [, made] of code.matchAll(/(\w+)\([^()]*\)\s*\.\./g)) assert.equal(made, 'whole');
      assert.doesNotMatch(code, /tostring\(/);
    });

    it(`${name}: reads JSON by pcall alone and writes none`, () => {
      assert.doesNotMatch(code, /cjson\.encode/);
      assert.equal(code.match(/cjson\./g)?.length, code.match(/pcall\(cjson\.decode,/g)?.length);
    });

    it(`${name}: makes no key names and sets no globals`, () => {
      assert.doesNotMatch(code, /'lock/);
      assert.doesNotMatch(code, /^\s*function /m);
      const locals = new Set([...loadedLocals(source)]);
      for (const [, names] of code.matchAll(/^\s*(?:if .* then |else )?([a-z_, ]+) = /gim)) {
        for (const assigned of (names ?? '').replace(/^local /, '').split(',')) {
          assert.ok(
            /^\s*local /.test(names ?? '') || locals.has(assigned.trim()),
            `${assigned} is not local`,
          );
        }
      }
    });
  }

  for (const { name, source } of INCLUDES) {
    it(`${name}: 3 to 20 lines, with a comment that says what it is for`, () => {
      const lines = source
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('-- @include'));
      assert.equal(lines.length >= 2 && lines.length <= 20, true);
      assert.match(lines[0] ?? '', /^-- [A-Z]/);
    });
  }

  it('has the lifetimes of core', () => {
    const [, day, grace] = /local DAY, MAX_GRACE = (\d+), (\d+)/.exec(read('include/lifetimes.lua')) ?? [];
    assert.deepEqual([Number(day), Number(grace)], [FENCE_LIFETIME_MS, MAX_GRACE_MS]);
  });

  it('scripts are whole when loaded: no include is left, and each is there once', () => {
    for (const name of SCRIPT_NAMES) {
      const { lua } = loadScript(name);
      assert.doesNotMatch(lua, /@include/);
      for (const declaration of lua.match(/^local function \w+/gm) ?? []) {
        assert.equal(lua.split(`${declaration}(`).length, 2, `${name}: ${declaration}`);
      }
    }
  });

  it('what the build ships is the same code', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowlock-lua-'));
    try {
      const shipped = flattenLua(fileURLToPath(FOLDER), folder);
      assert.deepEqual([...shipped].sort(), SCRIPT_NAMES.map((name) => `${name}.lua`).sort());
      const codeLines = (lua: string) =>
        withoutComments(lua)
          .split('\n')
          .filter((line) => line.trim() !== '');
      for (const name of SCRIPT_NAMES) {
        const text = readFileSync(join(folder, `${name}.lua`), 'utf8');
        assert.deepEqual(codeLines(text), codeLines(loadScript(name).lua), name);
        assert.match(text, /^ {2}KEYS {2}1 lock/m);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a script that is not there fails with its name', () => {
    assert.throws(() => loadScript('steal'), /steal\.lua/);
  });
});

/** What a command may be given: a literal, a declared key, `whole(number)`, a text joined of those, or these names. */
const TEXT =
  /^('[^']*'|-1|KEYS\[\d\]|whole\(.+\)|'\(' \.\. whole\(.+\)|whole\(.+\) \.\. ' ' \.\. holder|record|session|channel|message)$/;

/** The argument lists of all calls that match, by balanced brackets. */
function callsOf(code: string, call: RegExp): string[] {
  return [...code.matchAll(call)].map(({ 0: start, index }) => {
    const from = index + start.length;
    let depth = 1;
    let at = from;
    for (; depth > 0 && at < code.length; at += 1) {
      if (code[at] === '(' && code[at - 1] !== "'") depth += 1;
      if (code[at] === ')') depth -= 1;
    }
    return code.slice(from, at - 1);
  });
}

/** Splits at the commas outside all brackets. */
function splitTopLevel(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [at, sign] of Array.from(list).entries()) {
    if (sign === '(' && list[at - 1] !== "'") depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + sign);
  }
  return parts.map((part) => part.trim());
}

/** Every name that a file declares local: by `local`, as a parameter, or in a loop. */
function loadedLocals(source: string): string[] {
  const declared = [...source.matchAll(/\blocal ([\w, ]+?)(?: =|$)/gm)].flatMap(([, names]) =>
    (names ?? '').split(','),
  );
  const parameters = [...source.matchAll(/function \w+\(([\w, ]*)\)/g)].flatMap(([, names]) =>
    (names ?? '').split(','),
  );
  return [...declared, ...parameters].map((name) => name.trim());
}
