import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The header by which the node's side of a poll is found. */
export const POLL_NUMBER = 'x-test-poll';

/** An answer of such a length and more is sometimes cut off in the middle. */
const LONG_ANSWER = 1_048_576;

/** A connection's first polls are spared: it would not come about, and a client may give up after some tries. */
const FIRST_POLLS = 2;

/** Polls are broken off within this, in milliseconds. */
const MOST_DELAY_MS = 20;

export interface AbortingProxyOptions {
  /** The node's address. */
  readonly target: string;
  /** Resolves when the node is done with a poll that was broken off: whether its answer had left the node with messages. */
  readonly hadLeft: (pollNumber: string) => Promise<boolean>;
}

/** A proxy that breaks polls off, on the node's side, at random moments. */
export interface AbortingProxy {
  readonly url: string;
  isAborting: boolean;
  /** Broken off before their answers had left: the client heard "nothing new" and polled again. */
  readonly harmless: number;
  /** Some of them in the middle of a long answer. */
  readonly inTheMiddle: number;
  /** Broken off when their answers had left: those are lost, and the client's poll is broken too. */
  readonly harmful: number;
  stop(): Promise<void>;
}

export async function startAbortingProxy({ target, hadLeft }: AbortingProxyOptions): Promise<AbortingProxy> {
  const counts = { harmless: 0, inTheMiddle: 0, harmful: 0 };
  let polls = 0;
  const pollsOf = new Map<string, number>();

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const onward = ask(incoming, {});
    onward.on('response', (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };

  const ask = ({ method = 'GET', url = '', headers }: IncomingMessage, more: Record<string, string>) =>
    request(`${target}${url}`, { method, headers: { ...headers, ...more }, agent: false });

  const passPoll = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    polls += 1;
    const pollNumber = String(polls);
    const id = /[?&]id=([^&]*)/.exec(incoming.url ?? '')?.[1] ?? '';
    const pollsSoFar = pollsOf.get(id) ?? 0;
    pollsOf.set(id, pollsSoFar + 1);
    const mayBreak = proxy.isAborting && pollsSoFar >= FIRST_POLLS;
    const onward = ask(incoming, { [POLL_NUMBER]: pollNumber });
    /** Of its answer, once that is there. */
    const size = { isLong: false };
    const answered = new Promise<'answered' | 'broken'>((resolve) => {
      onward.on('error', () => {}); // 'close' follows
      onward.on('close', () => resolve('broken')); // after 'answered' it changes nothing
      onward.on('response', (answer: IncomingMessage) => {
        const chunks: Buffer[] = [];
        size.isLong = Number(answer.headers['content-length']) >= LONG_ANSWER;
        answer.on('error', () => {}); // the same
        if (size.isLong && mayBreak && Math.random() < 0.5) {
          onward.destroy(); // not one byte of its body was read
          return;
        }
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks));
          resolve('answered');
        });
      });
    });
    onward.end();
    outgoing.on('close', () => onward.destroy()); // the client gave it up
    if (mayBreak && Math.random() < 0.5) {
      void delay(Math.random() * MOST_DELAY_MS).then(() => onward.destroy());
    }
    if ((await answered) === 'answered' || outgoing.destroyed) return;
    if (await hadLeft(pollNumber)) {
      counts.harmful += 1;
      outgoing.destroy();
    } else {
      counts.harmless += 1;
      if (size.isLong) counts.inTheMiddle += 1;
      outgoing.writeHead(200, { 'content-length': '0' }).end();
    }
  };

  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET') void passPoll(incoming, outgoing);
    else pass(incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: AbortingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAborting: true,
    get harmless() {
      return counts.harmless;
    },
    get inTheMiddle() {
      return counts.inTheMiddle;
    },
    get harmful() {
      return counts.harmful;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}
