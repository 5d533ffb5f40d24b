import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hub, HubEndpoint, OriginRule, type HubSettings } from '../../../../server/index.ts';
import { DEFAULT_HUB_SETTINGS, hubSettings } from '../../../../server/hub/hub-settings.ts';
import { testIdentity } from '../../../support/test-tokens.ts';
import { silentLog } from '../../../support/silent-log.ts';

describe('hubSettings', () => {
  it('are the defaults where nothing is said, or what is said is not there', () => {
    const nothing = Object.fromEntries(Object.keys(DEFAULT_HUB_SETTINGS).map((name) => [name, undefined]));
    assert.deepEqual(hubSettings(), DEFAULT_HUB_SETTINGS);
    assert.deepEqual(hubSettings(nothing as HubSettings), DEFAULT_HUB_SETTINGS);
  });

  it('take a path with or without a slash at its end', () => {
    for (const path of ['/hubs/board', '/hubs/board/'])
      assert.equal(hubSettings({ path }).path, '/hubs/board');
  });

  it('refuse a path that would hear nothing, or everything', () => {
    for (const path of ['', '/', 'hubs/board', 'https://host/hub', '/hub?x=1', '/hub#x', '/my hub', '//']) {
      assert.throws(() => hubSettings({ path }), /^RangeError: path: expected .*"\/hubs\/board"/, path);
    }
  });

  it('refuse transports that are none, unknown or named twice', () => {
    for (const transports of [[], ['webSockets'], ['WebSockets', 'WebSockets']]) {
      const given = { transports } as unknown as HubSettings;
      assert.throws(() => hubSettings(given), /^RangeError: transports: expected/, transports.join());
    }
    assert.deepEqual(hubSettings({ transports: ['LongPolling'] }).transports, ['LongPolling']);
  });

  it('refuse numbers of connections that are none', () => {
    for (const option of ['maxConnectionsPerUser', 'maxConnectionsPerAddress'] as const) {
      for (const most of [0, -1, 1.5, NaN]) {
        assert.throws(() => hubSettings({ [option]: most }), new RegExp(`^RangeError: ${option}: expected`));
      }
      for (const most of [1, Infinity]) assert.equal(hubSettings({ [option]: most })[option], most);
    }
  });

  it('refuse a drain that is no time; none at all is one', () => {
    for (const drainMs of [-1, NaN, Infinity]) {
      assert.throws(() => hubSettings({ drainMs }), /^RangeError: drainMs: expected/);
    }
    assert.equal(hubSettings({ drainMs: 0 }).drainMs, 0);
  });

  it('are looked at when the endpoint is made', () => {
    const parts = { hub: new Hub(), identify: testIdentity(), origins: new OriginRule(), log: silentLog };
    assert.throws(() => new HubEndpoint({ ...parts, settings: { path: 'hub' } }), /path: expected/);
  });
});
