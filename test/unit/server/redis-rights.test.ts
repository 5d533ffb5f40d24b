import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { lockKeys } from '../../../server/redis/lock-keys.ts';
import { neededRights, rightsProbes } from '../../../server/redis/redis-rights.ts';

const LUA = new URL('../../../lua/', import.meta.url);
const scripts = readdirSync(LUA, { recursive: true })
  .filter((file) => String(file).endsWith('.lua'))
  .map((file) => readFileSync(new URL(String(file), LUA), 'utf8'));
const commandsOfScripts = new Set(
  scripts.flatMap((lua) =>
    [...lua.matchAll(/redis\.p?call\('(\w+)'/g)].map(([, name = '']) => name.toLowerCase()),
  ),
);

describe('the rights that Rowlock needs', () => {
  it('name every command of the scripts, and probe it at start', () => {
    const rights = neededRights(false, 'plain').split(' ');
    const sharded = neededRights(true, 'sharded').split(' ');
    const probed = [...rightsProbes(true, 'plain'), ...rightsProbes(true, 'sharded')].map(
      ([command]) => command,
    );
    for (const command of commandsOfScripts) {
      assert.ok([...rights, ...sharded].includes(`+${command}`), `+${command} is not among the rights`);
      assert.ok(probed.includes(command), `${command} is not probed`);
    }
  });

  it('name every kind of key and the channel', () => {
    const { channel, ...keys } = lockKeys({ tenant: 't', ref: { entityType: 'a', entityUid: 'b' } });
    const rights = neededRights(false, 'plain').split(' ');
    for (const key of Object.values(keys))
      assert.ok(rights.includes(`~${/^\w+:/.exec(key)?.[0] ?? ''}*`), key);
    assert.ok(rights.includes(`&${/^\w+:/.exec(channel)?.[0] ?? ''}*`), channel);
  });

  it('differ by deployment and by the way of publishing', () => {
    assert.doesNotMatch(neededRights(false, 'plain'), /cluster|spublish|multi/);
    assert.match(neededRights(true, 'sharded'), /\+spublish .*\+multi .*\+cluster\|slots/);
    assert.doesNotMatch(neededRights(true, 'sharded'), /\+publish/);
  });
});
