import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of the loopback address, with room for a crowd that connects at once. Answers the port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
