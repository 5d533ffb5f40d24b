import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainHome, shardedHomes } from '../../../server/redis/cluster-homes.ts';
import type { ClusterNodes } from '../../../server/redis/cluster-nodes.ts';

/** As much of a map as homes look at. */
function mapOf(addresses: string[]) {
  return {
    addresses,
    ownerOf: (channel: string) => (channel === 'a' ? 'one' : null),
    find: (address: string) => (addresses.includes(address) ? {} : undefined),
    masterAddresses: () => addresses,
  } as unknown as ClusterNodes;
}

describe('where a channel is heard', () => {
  it('sharded: at the master of its slot alone, and nowhere while that is not known', () => {
    const homes = shardedHomes(mapOf(['one', 'two']));
    assert.equal(homes.of('a'), 'one');
    assert.equal(homes.of('b'), null);
    homes.lost('one');
    assert.equal(homes.of('a'), 'one');
  });

  it('plain: all channels at one node, and it stays the same one', () => {
    const home = plainHome(mapOf(['one', 'two', 'three']), () => 0.5);
    assert.deepEqual(['a', 'b', 'c'].map(home.of), ['two', 'two', 'two']);
    home.lost('three');
    assert.equal(home.of('a'), 'two');
  });

  it('plain: another one as soon as it is lost, or has left; the same one where there is no other', () => {
    const home = plainHome(mapOf(['one', 'two']), () => 0);
    assert.equal(home.of('a'), 'one');
    home.lost('one');
    assert.equal(home.of('a'), 'two');
    const addresses = ['one'];
    const alone = plainHome(mapOf(addresses), () => 0);
    assert.equal(alone.of('a'), 'one');
    alone.lost('one');
    assert.equal(alone.of('a'), 'one');
    addresses[0] = 'other';
    assert.equal(alone.of('a'), 'other');
    assert.equal(plainHome(mapOf([])).of('a'), null);
  });
});
