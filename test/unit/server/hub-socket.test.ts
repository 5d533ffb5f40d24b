import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import type { HubSession } from '../../../core/index.ts';
import { HubSocket, MAX_BUFFERED_BYTES } from '../../../server/hub-socket.ts';

/** As much of a `ws` socket as a hub socket looks at. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  terminated = 0;
  readonly sent: string[] = [];
  readonly closed: (number | undefined)[] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  close(code?: number): void {
    this.closed.push(code);
  }

  terminate(): void {
    this.terminated += 1;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const pairOf = () => {
  const fake = new FakeSocket();
  return { fake, socket: new HubSocket(fake as unknown as WebSocket) };
};

describe('HubSocket', () => {
  it('sends the texts of one turn as one frame', async () => {
    const { fake, socket } = pairOf();
    for (const text of ['a', 'b', 'c']) socket.send(text);
    assert.deepEqual(fake.sent, []);
    await turn();
    socket.send('d');
    await turn();
    assert.deepEqual(fake.sent, ['abc', 'd']);
  });

  it('sends what is left before it closes', () => {
    const { fake, socket } = pairOf();
    socket.send('goodbye');
    socket.close(1_000);
    assert.deepEqual(fake.sent, ['goodbye']);
    assert.deepEqual(fake.closed, [1_000]);
  });

  it('closes a client that does not read, and never waits for it', async () => {
    const { fake, socket } = pairOf();
    fake.bufferedAmount = MAX_BUFFERED_BYTES + 1;
    socket.send('a');
    await turn();
    assert.deepEqual(fake.sent, []);
    assert.equal(fake.terminated, 1);
  });

  it('sends nothing to a socket that is closing', async () => {
    const { fake, socket } = pairOf();
    socket.send('a');
    fake.readyState = 2;
    await turn();
    assert.deepEqual(fake.sent, []);
  });

  it('answers a close frame without a code with 1000', () => {
    const { fake } = pairOf();
    fake.close();
    assert.deepEqual(fake.closed, [1_000]);
  });

  it('feeds a session text that is split anywhere, even inside a character', () => {
    const { fake, socket } = pairOf();
    const received: string[] = [];
    let isOver = false;
    const session = { receive: (text: string) => received.push(text), disconnected: () => (isOver = true) };
    socket.feed(session as unknown as HubSession);
    const bytes = Buffer.from('ü€');
    for (const byte of bytes) fake.emit('message', Buffer.from([byte]));
    fake.emit('message', [Buffer.from('a'), Buffer.from('b')]);
    fake.emit('message', new Uint8Array(Buffer.from('c')).buffer);
    assert.equal(received.join(''), 'ü€abc');
    fake.emit('error', new Error('a broken frame'));
    assert.equal(fake.terminated, 1);
    fake.emit('close');
    assert.equal(isOver, true);
  });
});
