import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it, mock } from 'node:test';
import {
  EntityChangeHub,
  MemoryChangeFeed,
  type ChangeFeed,
  type EntityChange,
  type Principal,
  type UnstampedChange,
} from '../../../../core/index.ts';
import { ANNA, BEN, EVE } from '../people.ts';
import { HANDSHAKE, call, failure, result, told } from './client-messages.ts';
import { FakeTimers } from './fake-timers.ts';
import { TestClient, type ConnectOptions } from './test-hub.ts';

/** A feed whose backplane confirms a tenant when the test says so. */
class SlowFeed extends MemoryChangeFeed implements ChangeFeed {
  readonly joined: string[] = [];
  readonly left: string[] = [];
  readonly #joins: { readonly confirm: () => void; readonly fail: (error: Error) => void }[] = [];
  readonly #gaps = new Set<() => void>();

  override async join(tenant = ''): Promise<void> {
    this.joined.push(tenant);
    await new Promise<void>((confirm, fail) => this.#joins.push({ confirm, fail }));
  }

  override leave(tenant = ''): void {
    this.left.push(tenant);
  }

  override onGap(listener: () => void = () => {}): () => void {
    this.#gaps.add(listener);
    return () => this.#gaps.delete(listener);
  }

  confirm(): void {
    for (const { confirm } of this.#joins) confirm();
  }

  fail(error: Error): void {
    for (const { fail } of this.#joins) fail(error);
  }

  gap(): void {
    for (const listener of this.#gaps) listener();
  }
}

function hubOver<Feed extends ChangeFeed>(feed: Feed) {
  const timers = new FakeTimers();
  const entityHub = new EntityChangeHub({ feed, timers });
  const { hub } = entityHub;
  let connected = 0;
  const connect = async (principal: Principal, { handshake = true }: ConnectOptions = {}) => {
    connected += 1;
    const client = new TestClient(hub, `c${connected}`, { principal });
    if (handshake) {
      client.connection.receive(HANDSHAKE);
      assert.deepEqual(await client.heard(), [{}]);
    }
    const invoke = (target: string, ...args: unknown[]) => client.say(call('0', target, ...args));
    return { client, connection: client.connection, wire: client.wire, invoke };
  };
  const publish = (tenant: string, change: Partial<UnstampedChange> = {}) =>
    feed.publish(tenant, { entityType: 'Order', entityUid: '1', operation: 'Updated', ...change });
  return { entityHub, hub, feed, timers, connect, publish };
}

/** What a connection was told since the last call, in the short form `Updated Order 1`. */
const heard = async ({ client }: { readonly client: TestClient }) =>
  (await client.heard()).map((message) => {
    const { target, arguments: args } = message as { target: string; arguments: readonly EntityChange[] };
    const [change] = args;
    return change === undefined ? target : `${change.operation} ${change.entityType} ${change.entityUid}`;
  });

const done = result('0', null);

describe('EntityChangeHub', () => {
  it('tells every connection of the tenant, and no other tenant', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed(() => 5));
    const [anna, ben, eve] = [await connect(ANNA), await connect(BEN), await connect(EVE)];
    await publish('acme');
    const message = told('EntityChanged', {
      entityType: 'Order',
      entityUid: '1',
      operation: 'Updated',
      at: 5,
    });
    assert.deepEqual(await anna.client.heard(), [message]);
    assert.deepEqual(await ben.client.heard(), [message]);
    assert.deepEqual(await heard(eve), []);
    await publish('umbrella', { entityUid: '2' });
    assert.deepEqual(await heard(eve), ['Updated Order 2']);
    assert.deepEqual(await heard(anna), []);
  });

  it('offers no word by which a client could hear another tenant', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const eve = await connect(EVE);
    const wishes = ['Order', 'acme', 'acme:Order', '*', '["acme"]', '["acme","Order"]', '"],["acme"'];
    eve.invoke('Subscribe', wishes);
    eve.invoke('Unsubscribe', wishes);
    eve.invoke('Subscribe', wishes);
    eve.invoke('Join', '["acme"]');
    await eve.client.heard();
    await publish('acme');
    assert.deepEqual(await heard(eve), []);
    await publish('umbrella');
    assert.deepEqual(await heard(eve), ['Updated Order 1']);
  });

  it('keeps tenants apart whose names and types look alike', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const names = ['a', 'a","b', '["a"]', '["a","b"]', 'a:b', 'A'];
    for (const isNarrow of [false, true]) {
      const people = await Promise.all(names.map((tenant) => connect({ ...EVE, tenant })));
      if (isNarrow) for (const { invoke } of people) invoke('Subscribe', ['b', '"b"', 'b"]', 'Order']);
      for (const person of people) await person.client.heard();
      for (const tenant of names) await publish(tenant, { entityType: 'b', entityUid: tenant });
      for (const [index, person] of people.entries()) {
        assert.deepEqual(await heard(person), [`Updated b ${names[index]}`]);
      }
    }
  });

  it('lets a connection hear everything until it subscribes, and then what it named', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const anna = await connect(ANNA);
    await publish('acme', { entityType: 'Invoice' });
    assert.deepEqual(await heard(anna), ['Updated Invoice 1']);
    anna.invoke('Subscribe', ['Order']);
    anna.invoke('subscribe', ['Customer']);
    assert.deepEqual(await anna.client.heard(), [done, done]);
    for (const entityType of ['Order', 'Invoice', 'Customer']) await publish('acme', { entityType });
    assert.deepEqual(await heard(anna), ['Updated Order 1', 'Updated Customer 1']);
    anna.invoke('Unsubscribe', ['Order', 'Invoice']);
    assert.deepEqual(await anna.client.heard(), [done]);
    for (const entityType of ['Order', 'Invoice', 'Customer']) await publish('acme', { entityType });
    assert.deepEqual(await heard(anna), ['Updated Customer 1']);
  });

  it('lets an empty subscription hear nothing, and an Unsubscribe before any change nothing', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const [anna, ben] = [await connect(ANNA), await connect(BEN)];
    anna.invoke('Subscribe', []);
    ben.invoke('Unsubscribe', ['Order']);
    assert.deepEqual([await anna.client.heard(), await ben.client.heard()], [[done], [done]]);
    await publish('acme');
    assert.deepEqual([await heard(anna), await heard(ben)], [[], ['Updated Order 1']]);
  });

  for (const args of [
    [],
    ['Order'],
    [['Order'], 'more'],
    [[1]],
    [null],
    [{ 0: 'Order' }],
    [Array.from({ length: 201 }, (_, index) => String(index))],
    [['x'.repeat(201)]],
  ]) {
    it(`refuses arguments that are not one list of types: ${JSON.stringify(args).slice(0, 40)}`, async () => {
      const { connect, publish } = hubOver(new MemoryChangeFeed());
      const anna = await connect(ANNA);
      for (const target of ['Subscribe', 'Unsubscribe']) {
        anna.invoke(target, ...args);
        const error = `Failed to invoke '${target}' due to an error on the server.`;
        assert.deepEqual(await anna.client.heard(), [failure('0', error)]);
      }
      await publish('acme');
      assert.deepEqual(await heard(anna), ['Updated Order 1'], 'nothing was narrowed');
    });
  }

  it('refuses types beyond two hundred in all, and keeps those it has', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const anna = await connect(ANNA);
    anna.invoke('Subscribe', ['Order', ...Array.from({ length: 199 }, (_, at) => `Type${at}`)]);
    anna.invoke('Subscribe', ['Order']);
    anna.invoke('Subscribe', ['Invoice']);
    anna.invoke('Unsubscribe', ['Type0']);
    anna.invoke('Subscribe', ['Customer']);
    const error = "Failed to invoke 'Subscribe' due to an error on the server.";
    assert.deepEqual(await anna.client.heard(), [done, done, failure('0', error), done, done]);
    for (const entityType of ['Invoice', 'Order', 'Type0', 'Customer']) await publish('acme', { entityType });
    assert.deepEqual(await heard(anna), ['Updated Order 1', 'Updated Customer 1']);
  });

  it('completes a Subscribe only when the backplane has confirmed the tenant', async () => {
    const { feed, connect } = hubOver(new SlowFeed());
    const anna = await connect(ANNA);
    assert.deepEqual(feed.joined, ['acme']);
    anna.invoke('Subscribe', ['Order']);
    assert.deepEqual(await anna.client.heard(), []);
    feed.confirm();
    assert.deepEqual(await anna.client.heard(), [done]);
  });

  it('lets a connection hear what it named while its Subscribe still waits', async () => {
    const { connect, publish } = hubOver(new SlowFeed());
    const anna = await connect(ANNA);
    anna.invoke('Subscribe', ['Order']);
    await anna.client.heard();
    await publish('acme', { entityType: 'Invoice' });
    await publish('acme');
    assert.deepEqual(await heard(anna), ['Updated Order 1']);
  });

  it('answers a Subscribe with an error when the backplane refuses, and the connection stays', async () => {
    const { feed, hub, connect, publish } = hubOver(new SlowFeed());
    const anna = await connect(ANNA);
    feed.fail(new Error('redis://secret@host is down'));
    await anna.client.heard(); // an unhandled rejection would end this process
    anna.invoke('Subscribe', ['Order']);
    const error = "An unexpected error occurred invoking 'Subscribe' on the server.";
    assert.deepEqual(await anna.client.heard(), [failure('0', error)]);
    assert.equal(anna.connection.isOpen, true);
    assert.equal(hub.connectionCount, 1);
    await publish('acme');
    assert.deepEqual(await heard(anna), ['Updated Order 1'], 'what this node publishes itself still arrives');
  });

  it('joins and leaves the feed once per open connection, however it ends', async () => {
    const { feed, hub, connect } = hubOver(new SlowFeed());
    const [anna, ben, eve] = [
      await connect(ANNA),
      await connect(BEN, { handshake: false }),
      await connect(EVE),
    ];
    assert.deepEqual(feed.joined, ['acme', 'umbrella'], 'not before the handshake');
    anna.client.say({ type: 7 });
    anna.connection.disconnected();
    ben.connection.disconnected();
    eve.connection.close();
    assert.deepEqual(feed.left, ['acme', 'umbrella']);
    assert.equal(hub.connectionCount, 0);
  });

  it('tells a connection nothing before its handshake', async () => {
    const { entityHub, connect, publish } = hubOver(new MemoryChangeFeed());
    const anna = await connect(ANNA, { handshake: false });
    await publish('acme', { entityUid: 'early' });
    entityHub.resync();
    assert.deepEqual(await anna.client.heard(), []);
    anna.connection.receive(HANDSHAKE);
    await publish('acme', { entityUid: 'later' });
    const [reply, ...rest] = await anna.client.heard();
    assert.deepEqual(reply, {});
    assert.equal(rest.length, 1);
  });

  it('tells a connection nothing after its end', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const anna = await connect(ANNA);
    anna.connection.disconnected();
    await publish('acme');
    assert.deepEqual(await anna.client.heard(), []);
  });

  it('writes a change once, for as many as hear it, by type or all', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const all = await Promise.all(Array.from({ length: 50 }, () => connect(ANNA)));
    for (const { invoke } of all.slice(25)) invoke('Subscribe', ['Order']);
    for (const { client } of all) await client.heard();
    const stringify = mock.method(JSON, 'stringify');
    await publish('acme');
    await allDone();
    const written = stringify.mock.calls.filter(({ arguments: [value] }) => 'target' in Object(value));
    stringify.mock.restore();
    assert.equal(written.length, 1);
    const [first] = all.map(({ wire }) => wire.writes);
    assert.equal(first?.length, 1);
    for (const { wire } of all) assert.equal(wire.writes[0], first[0]);
  });

  it('writes nothing for a tenant that nobody listens to', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    await connect(ANNA);
    const stringify = mock.method(JSON, 'stringify');
    await publish('umbrella');
    const written = stringify.mock.calls.filter(({ arguments: [value] }) => 'target' in Object(value));
    stringify.mock.restore();
    assert.equal(written.length, 0);
  });

  it('asks every connection to fetch again after a gap, whatever it subscribed to', async () => {
    const { feed, connect } = hubOver(new SlowFeed());
    const [anna, eve] = [await connect(ANNA), await connect(EVE)];
    anna.invoke('Subscribe', []);
    feed.confirm();
    await anna.client.heard();
    feed.gap();
    assert.deepEqual(await anna.client.heard(), [told('Resync')]);
    assert.deepEqual(await eve.client.heard(), [told('Resync')]);
  });

  it('ends a user’s connections for good when the feed says so, and nobody else’s', async () => {
    const { feed, connect } = hubOver(new MemoryChangeFeed());
    const annas = [await connect(ANNA), await connect(ANNA)];
    const others = [await connect(BEN), await connect({ ...EVE, oid: ANNA.oid })];
    await feed.disconnectUser(ANNA.tenant, ANNA.oid);
    for (const { client, wire } of annas) {
      assert.deepEqual(await client.heard(), [{ type: 7 }]);
      assert.deepEqual(wire.closes, [1000]);
    }
    assert.deepEqual(
      others.map(({ connection }) => connection.isOpen),
      [true, true],
    );
  });

  it('asks everybody to come back when it stops, and hears nothing any more', async () => {
    const { feed, entityHub, hub, timers, connect, publish } = hubOver(new SlowFeed());
    const [anna, waiting] = [await connect(ANNA), await connect(BEN, { handshake: false })];
    entityHub.stop();
    entityHub.stop();
    assert.deepEqual(anna.wire.messages, [{ type: 7, allowReconnect: true }]);
    assert.deepEqual(anna.wire.closes, [1000]);
    assert.deepEqual(waiting.wire.messages, []);
    assert.deepEqual(waiting.wire.closes, [1000]);
    assert.equal(hub.connectionCount, 0);
    assert.equal(timers.pending, 0);
    const late = await connect(EVE);
    await publish('umbrella');
    feed.gap();
    await feed.disconnectUser(EVE.tenant, EVE.oid);
    assert.deepEqual(await late.client.heard(), []);
    assert.equal(late.connection.isOpen, true);
  });
});
