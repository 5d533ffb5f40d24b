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
import { FakeTimers } from './fake-timers.ts';
import { HANDSHAKE, RecordedSocket, frame } from './recorded-socket.ts';

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
  const hub = new EntityChangeHub({ feed, timers });
  const connect = (principal: Principal, { handshake = true } = {}) => {
    const socket = new RecordedSocket();
    const session = hub.connect(socket, principal);
    if (handshake) {
      session.receive(HANDSHAKE);
      socket.take();
    }
    const invoke = (target: string, ...args: unknown[]) =>
      session.receive(frame({ type: 1, invocationId: '0', target, arguments: args }));
    return { socket, session, invoke };
  };
  const publish = (tenant: string, change: Partial<UnstampedChange> = {}) =>
    feed.publish(tenant, { entityType: 'Order', entityUid: '1', operation: 'Updated', ...change });
  return { hub, feed, timers, connect, publish };
}

/** What a connection was told, in the short form `Updated Order 1`. */
const heard = (socket: RecordedSocket) =>
  socket.take().map((message) => {
    const { target, arguments: args } = message as { target: string; arguments: readonly EntityChange[] };
    const [change] = args;
    return change === undefined ? target : `${change.operation} ${change.entityType} ${change.entityUid}`;
  });

const done = { type: 3, invocationId: '0', result: null };

describe('EntityChangeHub', () => {
  it('tells every connection of the tenant, and no other tenant', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed(() => 5));
    const [anna, ben, eve] = [connect(ANNA), connect(BEN), connect(EVE)];
    await publish('acme');
    const message = {
      type: 1,
      target: 'EntityChanged',
      arguments: [{ entityType: 'Order', entityUid: '1', operation: 'Updated', at: 5 }],
    };
    assert.deepEqual(anna.socket.take(), [message]);
    assert.deepEqual(ben.socket.take(), [message]);
    assert.deepEqual(eve.socket.take(), []);
    await publish('umbrella', { entityUid: '2' });
    assert.deepEqual(heard(eve.socket), ['Updated Order 2']);
    assert.deepEqual(anna.socket.take(), []);
  });

  it('offers no word by which a client could hear another tenant', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const eve = connect(EVE);
    eve.invoke('Subscribe', ['Order', 'acme', 'acme:Order', '*']);
    eve.invoke('Join', 'acme');
    await allDone();
    eve.socket.take();
    await publish('acme');
    assert.deepEqual(eve.socket.take(), []);
  });

  it('lets a connection hear everything until it subscribes, and then what it named', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const { socket, invoke } = connect(ANNA);
    await publish('acme', { entityType: 'Invoice' });
    assert.deepEqual(heard(socket), ['Updated Invoice 1']);
    invoke('Subscribe', ['Order']);
    invoke('Subscribe', ['Customer']);
    await allDone();
    assert.deepEqual(socket.take(), [done, done]);
    for (const entityType of ['Order', 'Invoice', 'Customer']) await publish('acme', { entityType });
    assert.deepEqual(heard(socket), ['Updated Order 1', 'Updated Customer 1']);
    invoke('Unsubscribe', ['Order', 'Invoice']);
    await allDone();
    socket.take();
    for (const entityType of ['Order', 'Invoice', 'Customer']) await publish('acme', { entityType });
    assert.deepEqual(heard(socket), ['Updated Customer 1']);
  });

  it('lets an empty subscription hear nothing, and an Unsubscribe before any change nothing', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const [anna, ben] = [connect(ANNA), connect(BEN)];
    anna.invoke('Subscribe', []);
    ben.invoke('Unsubscribe', ['Order']);
    await allDone();
    assert.deepEqual([anna.socket.take(), ben.socket.take()], [[done], [done]]);
    await publish('acme');
    assert.deepEqual([heard(anna.socket), heard(ben.socket)], [[], ['Updated Order 1']]);
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
      const { socket, session } = connect(ANNA);
      for (const target of ['Subscribe', 'Unsubscribe']) {
        session.receive(frame({ type: 1, invocationId: '0', target, arguments: args }));
        await allDone();
        assert.deepEqual(socket.take(), [
          {
            type: 3,
            invocationId: '0',
            error: `Failed to invoke '${target}' due to an error on the server.`,
          },
        ]);
      }
      await publish('acme');
      assert.deepEqual(heard(socket), ['Updated Order 1'], 'nothing was narrowed');
    });
  }

  it('refuses types beyond two hundred in all, and keeps those it has', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const { socket, invoke } = connect(ANNA);
    invoke('Subscribe', ['Order', ...Array.from({ length: 199 }, (_, at) => `Type${at}`)]);
    invoke('Subscribe', ['Order']);
    invoke('Subscribe', ['Invoice']);
    await allDone();
    const error = "Failed to invoke 'Subscribe' due to an error on the server.";
    assert.deepEqual(socket.take(), [done, done, { type: 3, invocationId: '0', error }]);
    await publish('acme', { entityType: 'Invoice' });
    await publish('acme');
    assert.deepEqual(heard(socket), ['Updated Order 1']);
  });

  it('completes a Subscribe only when the backplane has confirmed the tenant', async () => {
    const { feed, connect } = hubOver(new SlowFeed());
    const { socket, invoke } = connect(ANNA);
    assert.deepEqual(feed.joined, ['acme']);
    invoke('Subscribe', ['Order']);
    await allDone();
    assert.deepEqual(socket.take(), []);
    feed.confirm();
    await allDone();
    assert.deepEqual(socket.take(), [done]);
  });

  it('answers a Subscribe with an error when the backplane refuses, and the connection stays', async () => {
    const { feed, hub, connect, publish } = hubOver(new SlowFeed());
    const { socket, session, invoke } = connect(ANNA);
    feed.fail(new Error('redis://secret@host is down'));
    await allDone(); // an unhandled rejection would end this process
    invoke('Subscribe', ['Order']);
    await allDone();
    assert.deepEqual(socket.take(), [
      {
        type: 3,
        invocationId: '0',
        error: "An unexpected error occurred invoking 'Subscribe' on the server.",
      },
    ]);
    assert.equal(session.isOpen, true);
    assert.equal(hub.connectionCount, 1);
    await publish('acme');
    assert.deepEqual(heard(socket), ['Updated Order 1'], 'what this node publishes itself still arrives');
  });

  it('joins and leaves the feed once per connection, however it ends', () => {
    const { feed, hub, connect } = hubOver(new SlowFeed());
    const [anna, ben, eve] = [connect(ANNA), connect(BEN, { handshake: false }), connect(EVE)];
    assert.deepEqual(feed.joined, ['acme', 'acme', 'umbrella']);
    anna.session.receive(frame({ type: 7 }));
    anna.session.disconnected();
    ben.session.disconnected();
    eve.session.close();
    assert.deepEqual(feed.left, ['acme', 'acme', 'umbrella']);
    assert.equal(hub.connectionCount, 0);
  });

  it('tells a connection nothing before its handshake', async () => {
    const { hub, connect, publish } = hubOver(new MemoryChangeFeed());
    const { socket, session } = connect(ANNA, { handshake: false });
    await publish('acme', { entityUid: 'early' });
    hub.resync();
    assert.deepEqual(socket.frames, []);
    session.receive(HANDSHAKE);
    await publish('acme', { entityUid: 'later' });
    const [reply, ...rest] = socket.messages;
    assert.deepEqual(reply, {});
    assert.equal(rest.length, 1);
  });

  it('tells a connection nothing after its end', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const { socket, session } = connect(ANNA);
    session.disconnected();
    await publish('acme');
    assert.deepEqual(socket.frames, []);
  });

  it('serialises a change once, for as many as hear it', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    const all = Array.from({ length: 50 }, () => connect(ANNA));
    const stringify = mock.method(JSON, 'stringify');
    await publish('acme');
    const { callCount } = stringify.mock;
    const calls = callCount.call(stringify.mock);
    stringify.mock.restore();
    assert.equal(calls, 1);
    const [first] = all[0]?.socket.frames ?? [];
    assert.ok(all.every(({ socket }) => socket.frames.length === 1 && socket.frames[0] === first));
  });

  it('serialises nothing for a tenant that nobody listens to', async () => {
    const { connect, publish } = hubOver(new MemoryChangeFeed());
    connect(ANNA);
    const stringify = mock.method(JSON, 'stringify');
    await publish('umbrella');
    const calls = stringify.mock.callCount();
    stringify.mock.restore();
    assert.equal(calls, 0);
  });

  it('asks every connection to fetch again after a gap, whatever it subscribed to', async () => {
    const { feed, connect } = hubOver(new SlowFeed());
    const [anna, eve] = [connect(ANNA), connect(EVE)];
    anna.invoke('Subscribe', []);
    feed.confirm();
    await allDone();
    anna.socket.take();
    feed.gap();
    const resync = { type: 1, target: 'Resync', arguments: [] };
    assert.deepEqual(anna.socket.take(), [resync]);
    assert.deepEqual(eve.socket.take(), [resync]);
  });

  it('asks everybody to come back when it stops, and hears nothing any more', async () => {
    const { feed, hub, timers, connect, publish } = hubOver(new SlowFeed());
    const [anna, waiting] = [connect(ANNA), connect(BEN, { handshake: false })];
    hub.stop();
    hub.stop();
    assert.deepEqual(anna.socket.messages, [{ type: 7, allowReconnect: true }]);
    assert.deepEqual(anna.socket.closes, [1000]);
    assert.deepEqual(waiting.socket.messages, []);
    assert.deepEqual(waiting.socket.closes, [1000]);
    assert.equal(hub.connectionCount, 0);
    assert.equal(timers.pending, 0);
    const late = connect(EVE);
    await publish('umbrella');
    feed.gap();
    assert.deepEqual(late.socket.messages, []);
  });
});
