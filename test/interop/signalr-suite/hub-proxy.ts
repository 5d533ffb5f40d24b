import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HeardRequest } from '../interop-node.ts';

/** A proxy of an office: it stands before a hub and lets through what it knows. */
export interface HubProxy {
  /** The hub's address through the proxy. */
  readonly url: string;
  /** What was refused. */
  readonly requests: readonly HeardRequest[];
  stop(): Promise<void>;
}

export interface HubProxyOptions {
  readonly refuses: readonly ('upgrades' | 'streams')[];
}

/** Starts a proxy before `target`, an address with or without a path. Refused upgrades are answered with 502, streams with 403. */
export async function startHubProxy(target: string, { refuses }: HubProxyOptions): Promise<HubProxy> {
  const { hostname, port, pathname } = new URL(target);
  const requests: HeardRequest[] = [];
  const sockets = new Set<Socket>();
  const refused = (method: string, { url = '', headers }: IncomingMessage) =>
    requests.push({ method, url, headers, atMs: performance.now() });
  const server = createServer((request, response) => {
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    if (isStream && refuses.includes('streams')) {
      refused('GET', request);
      // After a 5xx the client in Node would try again for ever, also when it has been stopped.
      response.writeHead(403).end();
      return;
    }
    const { method, url, headers } = request;
    const onward = forward({ hostname, port, path: url, method, headers, agent: false });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      // An event stream begins with its head.
      response.flushHeaders();
      answer.pipe(response);
      // What breaks behind a proxy breaks before it.
      answer.once('close', () => {
        if (!answer.complete) response.destroy();
      });
    });
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket) => {
    // Gone in the meantime: nothing is left to refuse.
    socket.on('error', () => socket.destroy());
    refused('UPGRADE', request);
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname.replace(/\/$/, '')}`,
    requests,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
