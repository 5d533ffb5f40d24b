import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can fall silent, as a network does whose cable was pulled: nothing passes, and nobody is told. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing passes in either direction, and no end is told. */
  blackhole(): void;
  stop(): Promise<void>;
}

/** Proxies a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let isSilent = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1' });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}); // 'close' follows
      from.on('data', (data) => {
        if (!isSilent) to.write(data);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (!isSilent) to.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    blackhole() {
      isSilent = true;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
