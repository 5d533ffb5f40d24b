import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hub, jsonHubProtocol, type HubProtocol } from '../../../../core/index.ts';
import { ANNA, BEN, EVE } from '../people.ts';
import { HANDSHAKE, frame, note, told } from './client-messages.ts';
import { TestHub, type TestClient } from './test-hub.ts';

/** What each of these was told since the last call: the targets. */
async function targets(...clients: readonly TestClient[]) {
  return await Promise.all(
    clients.map(async (client) =>
      (await client.heard()).map((message) => (message as { readonly target: string }).target),
    ),
  );
}

describe('the audiences of a hub', () => {
  it('are all open connections', async () => {
    const test = new TestHub();
    const [anna, ben] = [await test.connect(), await test.connect({ principal: BEN })];
    const silent = await test.connect({ handshake: false });
    test.hub.all().send('News', 1, 'ä');
    assert.deepEqual(await anna.heard(), [told('News', 1, 'ä')]);
    assert.deepEqual(await ben.heard(), [told('News', 1, 'ä')]);
    assert.deepEqual(await silent.heard(), []);
  });

  it('are those that are there at the time of each send', async () => {
    const test = new TestHub();
    const everybody = test.hub.all();
    const room = test.hub.groups('room');
    const anna = await test.connect();
    anna.connection.join('room');
    everybody.send('All');
    room.send('Room');
    assert.deepEqual(await targets(anna), [['All', 'Room']]);
    const ben = await test.connect();
    anna.connection.leave('room');
    everybody.send('All');
    room.send('Room');
    assert.deepEqual(await targets(anna, ben), [['All'], ['All']]);
  });

  it('are the members of a group, however often they joined', async () => {
    const test = new TestHub();
    const [anna, ben] = [await test.connect(), await test.connect()];
    anna.connection.join('room');
    anna.connection.join('room');
    test.hub.groups('room').send('A');
    test.hub.groups('Room').send('B');
    test.hub.groups().send('C');
    assert.deepEqual(await targets(anna, ben), [['A'], []]);
    anna.connection.leave('room');
    anna.connection.leave('room');
    ben.connection.leave('room');
    test.hub.groups('room').send('D');
    assert.deepEqual(await targets(anna, ben), [[], []]);
  });

  it('are the members of several groups, each once', async () => {
    const test = new TestHub();
    const [both, one, other, none] = await Promise.all(Array.from({ length: 4 }, () => test.connect()));
    for (const client of [both, one]) client?.connection.join('one');
    for (const client of [both, other]) client?.connection.join('other');
    test.hub.groups('one', 'other', 'one', 'nobody').send('News');
    assert.ok(both && one && other && none, 'four are connected');
    assert.deepEqual(await targets(both, one, other, none), [['News'], ['News'], ['News'], []]);
  });

  it('are a user of a tenant, with all connections of theirs', async () => {
    const test = new TestHub();
    const annas = [await test.connect(), await test.connect()];
    const others = [
      await test.connect({ principal: BEN }),
      await test.connect({ principal: { ...EVE, oid: ANNA.oid } }),
    ];
    test.hub.user(ANNA.tenant, ANNA.oid).send('News');
    assert.deepEqual(await targets(...annas, ...others), [['News'], ['News'], [], []]);
  });

  it('are one connection, by its public id', async () => {
    const test = new TestHub();
    const client = await test.connect();
    test.hub.connection('c1')?.send('News');
    assert.deepEqual(await targets(client), [['News']]);
    assert.equal(test.hub.connection('c2'), undefined);
    const silent = await test.connect({ handshake: false });
    assert.equal(silent.connection.id, 'c2');
    assert.equal(test.hub.connection('c2'), undefined, 'not before its handshake');
    client.connection.disconnected();
    assert.equal(test.hub.connection('c1'), undefined);
  });

  it('hear nothing of what cannot be written for one of them, and go on hearing', async () => {
    const test = new TestHub();
    const [anna, ben] = [await test.connect(), await test.connect()];
    const circular: unknown[] = [];
    circular.push(circular);
    test.hub.all().send('Before');
    for (const argument of [1n, circular]) {
      assert.throws(() => test.hub.all().send('Bad', argument), TypeError);
    }
    test.hub.all().send('After');
    assert.deepEqual(await targets(anna, ben), [
      ['Before', 'After'],
      ['Before', 'After'],
    ]);
  });

  it('hear nothing either when only one of their protocols cannot write it', async () => {
    const fussy: HubProtocol = {
      ...jsonHubProtocol,
      name: 'fussy',
      write: (message) => {
        if (message.type === 1 && message.target === 'Bad') throw new RangeError('cannot say that');
        return jsonHubProtocol.write(message);
      },
    };
    const test = new TestHub({ protocols: [jsonHubProtocol, fussy] });
    const anna = await test.connect();
    const ben = await test.connect({ handshake: false });
    ben.say({ protocol: 'fussy', version: 1 });
    await ben.heard();
    assert.throws(() => test.hub.all().send('Bad'), RangeError);
    test.hub.all().send('Good');
    assert.deepEqual(await targets(anna, ben), [['Good'], ['Good']]);
  });
});

describe('a connection that is about to open', () => {
  it('hears what is sent after its handshake in the same turn, behind the reply, and nothing of before', async () => {
    const test = new TestHub({ onConnected: (connection) => connection.join('room') });
    const client = await test.connect({ handshake: false });
    test.hub.all().send('Before');
    test.hub.groups('room').send('Before');
    client.connection.receive(HANDSHAKE.slice(0, 5));
    test.hub.all().send('Between');
    client.connection.receive(HANDSHAKE.slice(5));
    test.hub.all().send('After');
    test.hub.groups('room').send('After');
    assert.deepEqual(client.wire.texts, []);
    assert.deepEqual(await client.heard(), [{}, told('After'), told('After')]);
  });

  it('hears a broadcast of its own onConnected behind the reply', async () => {
    const test: TestHub = new TestHub({ onConnected: ({ id }) => test.hub.all().send('Joined', id) });
    const anna = await test.connect({ handshake: false });
    anna.connection.receive(HANDSHAKE);
    assert.deepEqual(await anna.heard(), [{}, told('Joined', 'c1')]);
    const ben = await test.connect({ handshake: false });
    ben.connection.receive(HANDSHAKE);
    assert.deepEqual(await anna.heard(), [told('Joined', 'c2')]);
    assert.deepEqual(await ben.heard(), [{}, told('Joined', 'c2')]);
  });
});

describe('a hub that ends connections', () => {
  it('ends a user’s for good, those before their handshake too, and says how many there were', async () => {
    const test = new TestHub();
    const annas = [await test.connect(), await test.connect(), await test.connect({ handshake: false })];
    const ben = await test.connect({ principal: BEN });
    const eve = await test.connect({ principal: { ...EVE, oid: ANNA.oid } });
    assert.equal(test.hub.disconnectUser(ANNA.tenant, ANNA.oid), 3);
    const heard = await Promise.all(annas.map((client) => client.heard()));
    assert.deepEqual(heard, [[{ type: 7 }], [{ type: 7 }], []]);
    assert.deepEqual(
      annas.flatMap(({ wire }) => wire.closes),
      [1000, 1000, 1000],
    );
    assert.equal(test.hub.disconnectUser(ANNA.tenant, ANNA.oid), 0);
    assert.deepEqual([ben.connection.isOpen, eve.connection.isOpen], [true, true]);
  });

  it('ends all at once where it is not told to take its time', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 3 }, () => test.connect()));
    void test.hub.closeAll({ allowReconnect: true });
    for (const { wire } of clients) {
      assert.deepEqual(wire.messages, [{ type: 7, allowReconnect: true }]);
      assert.deepEqual(wire.closes, [1000]);
    }
    assert.equal(test.timers.pending, 0);
  });

  it('ends them at even distances within the time it is given', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 10 }, () => test.connect()));
    let isDone = false;
    void test.hub.closeAll({ allowReconnect: true }, 200).then(() => (isDone = true));
    const closed: number[] = [];
    for (let step = 0; step < 4; step += 1) {
      closed.push(clients.filter(({ connection }) => !connection.isOpen).length);
      assert.equal(isDone, step === 3, 'it is done with the last one');
      test.timers.advance(50);
      await new Promise(setImmediate);
    }
    assert.deepEqual(closed, [3, 6, 9, 10]);
    assert.equal(test.timers.pending, 0);
  });

  it('has nobody to wait for when nobody is there', async () => {
    await new TestHub().hub.closeAll({}, 10_000);
  });

  it('passes over those that leave meanwhile', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 4 }, () => test.connect()));
    const done = test.hub.closeAll({}, 200);
    for (const { connection } of clients) connection.disconnected();
    for (let step = 0; step < 4; step += 1) {
      test.timers.advance(50);
      await new Promise(setImmediate);
    }
    await done;
    assert.deepEqual(
      clients.map(({ wire }) => wire.closes.length),
      [1, 0, 0, 0],
    );
  });
});

describe('the counters of a hub', () => {
  it('say what happened', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 3 }, () => test.connect()));
    await test.connect({ handshake: false });
    const { delivered } = test.hub.counts;
    test.hub.all().send('News');
    clients[0]?.connection.disconnected();
    clients[1]?.say('hello');
    test.hub.all().send('News');
    const { opened, closed, broken, slow, silent } = test.hub.counts;
    assert.deepEqual(
      { opened, closed, broken, slow, silent },
      { opened: 3, closed: 2, broken: 1, slow: 0, silent: 0 },
    );
    assert.equal(test.hub.counts.delivered - delivered, 4);
  });
});

describe('a hub by default', () => {
  it('speaks JSON, offers no method, and runs on the host’s own timers', async () => {
    const hub = new Hub();
    assert.deepEqual(hub.protocols, [jsonHubProtocol]);
    assert.equal(hub.methods.size, 0);
    const test = new TestHub({ timers: hub.timers });
    const client = await test.connect();
    client.connection.receive(frame(note('toString')));
    assert.deepEqual(await client.heard(), []);
    client.connection.disconnected(); // or its heartbeat would keep this process
  });
});
