import { randomFillSync } from 'node:crypto';
import type { MessageEnd } from './message-counter.ts';

/** How a client joins one kind of server over an open WebSocket, and stays. */
export interface Wire {
  /** Path and query of the upgrade. */
  readonly path: string;
  readonly end: MessageEnd;
  /** Sent after the upgrade; null where the upgrade alone is enough. */
  readonly greeting: { readonly send: string; readonly welcome: string } | null;
  /** How a client shows that it is there: by its own clock, or as an answer to the server's ping. */
  readonly keepAlive: { readonly send: string; readonly answers: string | null } | null;
  /** The change in a message's text. */
  readonly change: (text: string) => unknown;
}

/** SignalR's JSON protocol. A server drops a client that is silent for 30 s, whether or not it was pinged. */
export const SIGNALR: Wire = {
  path: '/hubs/entity-changes',
  end: 'separator',
  greeting: { send: '{"protocol":"json","version":1}\u001e', welcome: '{}\u001e' },
  keepAlive: { send: '{"type":6}\u001e', answers: null },
  change: invocationArgument,
};

/** What the bare servers speak: SignalR's messages, without its handshake. */
export const BARE: Wire = { ...SIGNALR, path: '/', greeting: null, keepAlive: null };

/** Engine.IO 4 over WebSockets, and socket.io's default namespace and parser on it. */
export const SOCKET_IO: Wire = {
  path: '/socket.io/?EIO=4&transport=websocket',
  end: 'frame',
  greeting: { send: '40', welcome: '40' },
  keepAlive: { send: '3', answers: '2' },
  change: (text) => (JSON.parse(text.replace(/^42/, '')) as readonly unknown[])[1],
};

function invocationArgument(text: string): unknown {
  const { target, arguments: args } = JSON.parse(text.slice(0, text.indexOf('\u001e'))) as {
    readonly target: string;
    readonly arguments: readonly unknown[];
  };
  return target === 'EntityChanged' ? args[0] : undefined;
}

/** One masked text frame of a client, for payloads below 126 bytes (RFC 6455 section 5.2). */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomFillSync(Buffer.alloc(4));
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked]);
}
