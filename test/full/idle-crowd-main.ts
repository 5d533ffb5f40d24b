// Many idle clients of one node in a process of their own, started by idle-connections.test.ts with the node's port, a
// token and their number as arguments. Tells how they are, and ends with its parent.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { DEFAULT_HUB_PATH } from '../../core/index.ts';
import type { CrowdReport } from './idle-crowd.ts';

const JOINING_AT_ONCE = 100;
const HANDSHAKE = '{"protocol":"json","version":1}\u001e';
const PING = '{"type":6}\u001e';
const CLIENT_PINGS_EVERY_MS = 15_000;

const [port = '', token = '', count = ''] = process.argv.slice(2);

/** A client that counts, and reads every byte. What it hears is short, so each frame has a length of one byte or three. */
class IdleClient {
  joinedAtMs = 0;
  firstPingAtMs = 0;
  pings = 0;
  changes = 0;
  isClosed = false;
  readonly #socket: Socket;
  #unread = '';
  #isUpgraded = false;
  readonly #joined: () => void;

  constructor(joined: () => void) {
    this.#joined = joined;
    this.#socket = connect(Number(port), '127.0.0.1');
    this.#socket.on('data', (data) => this.#read(data.toString('latin1')));
    this.#socket.on('error', () => {}); // 'close' follows, and is reported
    this.#socket.on('close', () => {
      this.isClosed = true;
      joined();
    });
    const lines = [
      `GET ${DEFAULT_HUB_PATH} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Authorization: Bearer ${token}`,
    ];
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  }

  say(text: string): void {
    const payload = Buffer.from(text);
    // A mask of zeros is a mask.
    this.#socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  }

  #read(text: string): void {
    this.#unread += text;
    if (!this.#isUpgraded) {
      const end = this.#unread.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#isUpgraded = this.#unread.startsWith('HTTP/1.1 101');
      this.#unread = this.#unread.slice(end + 4);
      this.say(HANDSHAKE);
    }
    for (let end = this.#unread.indexOf('\u001e'); end >= 0; end = this.#unread.indexOf('\u001e')) {
      this.#hear(this.#unread.slice(0, end + 1));
      this.#unread = this.#unread.slice(end + 1);
    }
  }

  #hear(message: string): void {
    if (message.endsWith(PING)) {
      this.pings += 1;
      if (this.firstPingAtMs === 0) this.firstPingAtMs = performance.now();
    } else if (message.includes('EntityChanged')) this.changes += 1;
    else if (message.endsWith('{}\u001e')) {
      this.joinedAtMs = performance.now();
      this.#joined();
    }
  }
}

const clients: IdleClient[] = [];
for (let joined = 0; joined < Number(count); joined += JOINING_AT_ONCE) {
  const group = Math.min(JOINING_AT_ONCE, Number(count) - joined);
  await Promise.all(
    Array.from(
      { length: group },
      () => new Promise<void>((resolve) => clients.push(new IdleClient(resolve))),
    ),
  );
}
setInterval(() => {
  for (const client of clients) if (!client.isClosed) client.say(PING);
}, CLIENT_PINGS_EVERY_MS);

process.on('message', () => {
  const pinged = clients.filter(({ pings }) => pings > 0);
  const waits = pinged.map(({ firstPingAtMs, joinedAtMs }) => firstPingAtMs - joinedAtMs);
  process.send?.({
    joined: clients.filter(({ joinedAtMs }) => joinedAtMs > 0).length,
    closed: clients.filter(({ isClosed }) => isClosed).length,
    pinged: pinged.length,
    longestWaitForPingMs: Math.max(0, ...waits),
    changed: clients.filter(({ changes }) => changes > 0).length,
  } satisfies CrowdReport);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
