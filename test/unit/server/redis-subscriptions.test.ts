import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, afterEach, describe, it } from 'node:test';
import { RedisSubscriptions } from '../../../server/redis/redis-subscriptions.ts';
import { silentLog } from '../../support/silent-log.ts';
import { until } from '../../support/until.ts';

/** As much of a connection as subscriptions need. Confirms by hand, so that a test sees what waits. */
class FakeSubscriber extends EventEmitter {
  status = 'connecting';
  readonly calls: string[] = [];
  refusal: Error | null = null;

  subscribe = (channel: string) => this.#call(`subscribe ${channel}`);
  ssubscribe = (channel: string) => this.#call(`ssubscribe ${channel}`);
  unsubscribe = (channel: string) => this.#call(`unsubscribe ${channel}`);
  sunsubscribe = (channel: string) => this.#call(`sunsubscribe ${channel}`);
  ping = () => this.#call('ping');

  connect(): void {
    this.status = 'ready';
    this.emit('ready');
  }

  async #call(call: string): Promise<void> {
    this.calls.push(call);
    if (this.refusal !== null) throw this.refusal;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('RedisSubscriptions', () => {
  let subscriber: FakeSubscriber;
  let subscriptions: RedisSubscriptions;
  let gaps = 0;
  let errors: unknown[] = [];
  const make = (sharded = false) =>
    new RedisSubscriptions({
      subscriber,
      sharded,
      log: { ...silentLog, error: (_message, details) => errors.push(details) },
      onMessage() {},
      onResubscribed: () => (gaps += 1),
    });

  beforeEach(() => {
    subscriber = new FakeSubscriber();
    subscriptions = make();
    gaps = 0;
    errors = [];
  });
  afterEach(() => subscriptions.stop());

  it('confirms when Redis has, at once or when it connects', async () => {
    let confirmed = 0;
    const early = subscriptions.add('a').then(() => (confirmed += 1));
    await turn();
    assert.equal(confirmed, 0);
    subscriber.connect();
    await early;
    await subscriptions.add('b');
    assert.deepEqual(subscriber.calls, ['subscribe a', 'subscribe b']);
  });

  it('counts: a channel is subscribed once, and dropped with its last removal', async () => {
    subscriber.connect();
    await Promise.all([subscriptions.add('a'), subscriptions.add('a')]);
    subscriptions.remove('a');
    assert.deepEqual(subscriber.calls, ['subscribe a']);
    subscriptions.remove('a');
    subscriptions.remove('a');
    assert.deepEqual(subscriber.calls, ['subscribe a', 'unsubscribe a']);
  });

  it('confirms nobody by the reply to a subscription that was dropped again meanwhile', async () => {
    subscriber.connect();
    const replies: (() => void)[] = [];
    subscriber.subscribe = () => new Promise((resolve) => replies.push(resolve));
    void subscriptions.add('a');
    subscriptions.remove('a');
    let isConfirmed = false;
    const again = subscriptions.add('a').then(() => (isConfirmed = true));
    replies[0]?.();
    await turn();
    assert.equal(isConfirmed, false);
    replies[1]?.();
    await again;
  });

  it('subscribes again on every new connection, to what is wanted then, and tells of the gap', async () => {
    subscriber.connect();
    await turn();
    assert.equal(gaps, 0, 'nobody listened yet');
    await subscriptions.add('a');
    await subscriptions.add('b');
    subscriber.status = 'reconnecting';
    subscriptions.remove('b');
    subscriber.connect();
    await until('the gap', () => gaps === 1);
    assert.deepEqual(subscriber.calls, ['subscribe a', 'subscribe b', 'subscribe a']);
  });

  it('those who came before Redis did are told, too: they missed what was before', async () => {
    const waiting = subscriptions.add('a');
    subscriber.connect();
    await waiting;
    await until('the gap', () => gaps === 1);
  });

  it('a refusal is told once, and tried again until it works', async () => {
    subscriber.refusal = new Error('NOPERM this user has no permissions to access the channel');
    const waiting = subscriptions.add('a');
    subscriber.connect();
    await until('a second try', () => subscriber.calls.length >= 2);
    assert.equal(errors.length, 1);
    subscriber.refusal = null;
    await waiting;
    await until('the gap', () => gaps === 1);
  });

  it('sharded channels use the sharded commands', async () => {
    subscriptions = make(true);
    subscriber.connect();
    await subscriptions.add('a');
    subscriptions.remove('a');
    assert.deepEqual(subscriber.calls, ['ssubscribe a', 'sunsubscribe a']);
  });

  it('pings while it is started, and only a connection that is ready', async () => {
    subscriptions.start();
    subscriptions.start();
    subscriber.status = 'ready';
    await until('a ping', () => subscriber.calls.includes('ping'));
  });

  it('a stop refuses those who still wait, and is harmless twice', async () => {
    const waiting = subscriptions.add('a');
    subscriptions.stop();
    subscriptions.stop();
    await assert.rejects(waiting, /stopped/);
  });
});
