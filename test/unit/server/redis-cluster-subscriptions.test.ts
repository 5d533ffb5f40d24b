import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClusterSubscriptions } from '../../../server/redis/cluster-subscriptions.ts';
import { silentLog } from '../../support/silent-log.ts';
import { until } from '../../support/until.ts';

/** A connection to one node: connects when asked and confirms at once, unless a test holds it back. */
class FakeNode extends EventEmitter {
  status = 'wait';
  isUp = true;
  readonly address: string;
  readonly heard = new Set<string>();
  refusal: Error | null = null;
  isClosed = false;

  constructor(address: string) {
    super();
    this.address = address;
  }

  async connect(): Promise<void> {
    await turn();
    if (this.isClosed) return;
    if (!this.isUp) {
      this.lose();
      return;
    }
    this.status = 'ready';
    this.emit('ready');
  }

  disconnect(): void {
    this.isClosed = true;
    this.status = 'end';
    this.heard.clear();
  }

  /** The connection breaks. */
  lose(): void {
    this.status = 'reconnecting';
    this.heard.clear();
    this.emit('close');
  }

  ssubscribe = async (channel: string) => {
    if (this.refusal !== null) {
      if (this.refusal.message.startsWith('MOVED')) this.emit('moved');
      throw this.refusal;
    }
    this.heard.add(channel);
  };
  subscribe = this.ssubscribe;
  sunsubscribe = async (channel: string) => void this.heard.delete(channel);
  unsubscribe = this.sunsubscribe;
  ping = async () => {};
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ClusterSubscriptions', () => {
  /** Who owns a channel, as the map says; absent = nobody is known. */
  let owners: Record<string, string> = {};
  let opened: FakeNode[] = [];
  let down: Set<string>;
  let gaps = 0;
  let refreshes = 0;
  let errors: unknown[] = [];
  let subscriptions: ClusterSubscriptions;
  const nodeAt = (address: string) => {
    const node = opened.filter((known) => known.address === address).at(-1);
    assert.ok(node !== undefined, `nothing was opened to ${address}`);
    return node;
  };
  const settle = async () => {
    for (let at = 0; at < 5; at += 1) await turn();
  };

  beforeEach(() => {
    owners = { a: 'one', b: 'one', c: 'two' };
    opened = [];
    down = new Set();
    gaps = 0;
    refreshes = 0;
    errors = [];
    subscriptions = new ClusterSubscriptions({
      homes: { of: (channel) => owners[channel] ?? null, lost() {} },
      isSharded: () => true,
      log: { ...silentLog, error: (_message, details) => errors.push(details) },
      refresh: () => (refreshes += 1),
      onMessage() {},
      onResubscribed: () => (gaps += 1),
      subscriberAt(address) {
        const node = new FakeNode(address);
        node.isUp = !down.has(address);
        opened.push(node);
        return node;
      },
    });
    subscriptions.start();
  });
  afterEach(() => subscriptions.stop());

  it('one connection to each node that carries a channel, made when the first one is wanted, without a gap', async () => {
    assert.deepEqual(opened, []);
    await Promise.all(['a', 'b', 'c', 'a'].map((channel) => subscriptions.add(channel)));
    assert.deepEqual(
      opened.map(({ address, heard }) => [address, [...heard].sort()]),
      [
        ['one', ['a', 'b']],
        ['two', ['c']],
      ],
    );
    await settle();
    assert.equal(gaps, 0);
  });

  it('counts: a channel is dropped with its last removal, and the connection when the map is read next', async () => {
    await Promise.all(['a', 'a'].map((channel) => subscriptions.add(channel)));
    subscriptions.remove('a');
    assert.deepEqual([...nodeAt('one').heard], ['a']);
    subscriptions.remove('a');
    subscriptions.remove('a');
    assert.deepEqual([...nodeAt('one').heard], []);
    subscriptions.place();
    assert.equal(nodeAt('one').isClosed, true);
  });

  it('a lost connection that comes back: one gap, when all its channels are confirmed', async () => {
    await Promise.all(['a', 'b', 'c'].map((channel) => subscriptions.add(channel)));
    nodeAt('one').lose();
    assert.equal(refreshes, 1, 'who owns the slots now is asked');
    await settle();
    assert.equal(gaps, 0);
    await nodeAt('one').connect();
    await settle();
    assert.equal(gaps, 1);
    assert.deepEqual([...nodeAt('one').heard].sort(), ['a', 'b']);
  });

  it('a failover: its channels go to the new master, one gap, and the old connection is closed', async () => {
    await Promise.all(['a', 'b', 'c'].map((channel) => subscriptions.add(channel)));
    nodeAt('one').lose();
    owners = { a: 'three', b: 'three', c: 'two' };
    subscriptions.place();
    assert.equal(gaps, 0, 'not before it is confirmed');
    await until('the gap', () => gaps > 0);
    await settle();
    assert.equal(gaps, 1);
    assert.deepEqual([...nodeAt('three').heard].sort(), ['a', 'b']);
    assert.equal(nodeAt('one').isClosed, true);
    assert.equal(nodeAt('two').isClosed, false);
  });

  it('while a node is lost, the map is asked for again and again', async () => {
    await subscriptions.add('a');
    nodeAt('one').lose();
    await until('a second question', () => refreshes >= 2);
  });

  it('a slot that moves: the node says so, the map is read, its channel follows with one gap', async () => {
    await Promise.all(['a', 'b'].map((channel) => subscriptions.add(channel)));
    nodeAt('one').emit('moved');
    assert.equal(refreshes, 1);
    owners = { ...owners, a: 'two' };
    subscriptions.place();
    await settle();
    assert.equal(gaps, 1);
    assert.deepEqual([...nodeAt('two').heard], ['a']);
    assert.deepEqual([...nodeAt('one').heard], ['b']);
  });

  it('a slot that moved away and back: its channel is subscribed again, and the gap is told', async () => {
    await subscriptions.add('a');
    nodeAt('one').heard.clear();
    nodeAt('one').emit('moved');
    subscriptions.place();
    await settle();
    assert.deepEqual([...nodeAt('one').heard], ['a']);
    assert.equal(gaps, 1);
  });

  it('a map that is behind: MOVED is followed when it is read again, and is no error', async () => {
    const joined = subscriptions.add('a');
    nodeAt('one').refusal = new Error('MOVED 1 two');
    await settle();
    assert.equal(refreshes > 0, true);
    owners = { ...owners, a: 'two' };
    subscriptions.place();
    await joined;
    assert.deepEqual([...nodeAt('two').heard], ['a']);
    assert.deepEqual(errors, []);
  });

  it('who wants a channel while nobody is known to carry it is confirmed later, and told of a gap', async () => {
    owners = {};
    let isConfirmed = false;
    const joined = subscriptions.add('a').then(() => (isConfirmed = true));
    await settle();
    assert.equal(isConfirmed, false);
    owners = { a: 'one' };
    subscriptions.place();
    await joined;
    await settle();
    assert.equal(gaps, 1);
  });

  it('a node that cannot be reached at first: confirmed when it can, and told of a gap', async () => {
    down.add('one');
    const joined = subscriptions.add('a');
    await settle();
    nodeAt('one').isUp = true;
    await nodeAt('one').connect();
    await joined;
    await settle();
    assert.equal(gaps, 1);
  });

  it('confirms nobody by a node that the channel has left before it answered', async () => {
    let isConfirmed = false;
    down.add('one');
    const joined = subscriptions.add('a').then(() => (isConfirmed = true));
    await settle();
    down.add('two');
    owners = { a: 'two' };
    subscriptions.place();
    await settle();
    assert.equal(isConfirmed, false);
    nodeAt('two').isUp = true;
    await nodeAt('two').connect();
    await joined;
    assert.equal(gaps > 0, true);
  });

  it('a refusal is told once, and tried again until it works', async () => {
    const joined = subscriptions.add('a');
    nodeAt('one').refusal = new Error('NOPERM this user has no permissions to access the channel');
    await until('the error', () => errors.length > 0);
    nodeAt('one').refusal = null;
    await joined;
    assert.equal(errors.length, 1);
  });

  it('a stop refuses those who still wait, closes what was opened, and is harmless twice', async () => {
    await subscriptions.add('c');
    down.add('one');
    const waiting = subscriptions.add('a');
    subscriptions.stop();
    subscriptions.stop();
    await assert.rejects(waiting, /stopped/);
    assert.equal(
      opened.every(({ isClosed }) => isClosed),
      true,
    );
    subscriptions.place();
    assert.equal(opened.length, 2);
  });
});
