// The floor: one ready frame, written to every socket of node:net. What is left is Node's and the kernel's share.
// It makes one frame of all that one turn publishes, since nothing can do less.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listenLocally } from '../listen-locally.ts';
import { stampedSampleChange } from '../sample-change.ts';
import { serveBench } from '../serve-bench.ts';

const sockets = new Set<Duplex>();
const server = createServer();
server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
  // RFC 6455 section 4.2.2.
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  sockets.add(socket);
  socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
});

let texts = '';
serveBench(await listenLocally(server), (index) => {
  if (texts === '') {
    queueMicrotask(() => {
      const frame = textFrame(Buffer.from(texts));
      texts = '';
      for (const socket of sockets) socket.write(frame);
    });
  }
  const invocation = { type: 1, target: 'EntityChanged', arguments: [stampedSampleChange(index)] };
  texts += `${JSON.stringify(invocation)}\u001e`;
});

/** RFC 6455 section 5.2, for payloads of 126 to 65,535 bytes: all that this server sends. */
function textFrame(payload: Buffer): Buffer {
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
