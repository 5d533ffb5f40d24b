import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FENCE_LIFETIME_MS, MAX_GRACE_MS } from '../../../core/index.ts';
import { flattenLua } from '../../../scripts/flatten-lua.mjs';
import { SCRIPT_ARGUMENTS, SCRIPT_NAMES, loadScript } from '../../../server/redis/lua-scripts.ts';
import { luaFileFaults, luaVerbFaults, withoutComments } from '../../support/lua-lint.ts';
import { SEEDED_LUA_FAULTS } from '../../support/seeded-lua-faults.ts';

const FOLDER = new URL('../../../lua/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');

const VERBS = SCRIPT_NAMES.map((name) => ({
  name: `${name}.lua`,
  source: read(`${name}.lua`),
  flattened: loadScript(name).lua,
  argumentNames: SCRIPT_ARGUMENTS[name],
}));
const INCLUDES = readdirSync(new URL('include/', FOLDER)).map((file) => ({
  name: `include/${file}`,
  source: read(`include/${file}`),
}));

describe('lua/', () => {
  it('has one file per verb', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.lua'));
    assert.deepEqual(files.sort(), SCRIPT_NAMES.map((name) => `${name}.lua`).sort());
  });

  for (const verb of VERBS) {
    it(`${verb.name}: its head is what its body does; it looks at the deadline first and publishes last`, () => {
      assert.deepEqual(luaVerbFaults(verb), []);
      assert.equal(loadScript(verb.name.replace('.lua', '')).numberOfKeys, 4);
    });

    it(`${verb.name}: has a body of at most 45 lines`, () => {
      const own = verb.source.slice(verb.source.indexOf(']]') + 2);
      assert.equal(own.trim().split('\n').length <= 45, true);
    });
  }

  for (const file of [...VERBS, ...INCLUDES]) {
    it(`${file.name}: literal commands, declared keys, texts for numbers, no JSON written, no globals`, () => {
      assert.deepEqual(luaFileFaults(file), []);
    });
  }

  describe('these rules see', () => {
    for (const [what, file, text, seeded, complaint] of SEEDED_LUA_FAULTS) {
      it(`${what} in ${file}`, () => {
        const verb = VERBS.find(({ name }) => name === file);
        const { source } = verb ?? INCLUDES.find(({ name }) => name === file) ?? { source: '' };
        const spoil = (lua: string) => lua.replace(text, seeded);
        assert.notEqual(spoil(source), source, 'there is nothing to spoil');
        const faults = [
          ...luaFileFaults({ name: file, source: spoil(source) }),
          ...(verb
            ? luaVerbFaults({ ...verb, source: spoil(source), flattened: spoil(verb.flattened) })
            : []),
        ];
        assert.match(faults.join('\n'), complaint);
      });
    }
  });

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
