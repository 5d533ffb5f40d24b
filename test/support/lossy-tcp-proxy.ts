import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes bytes on to a server on loopback, until it is told to lose them. */
export interface LossyTcpProxy {
  readonly port: number;
  /**
   * From now on swallows everything on those connections whose client has sent this text, in both directions, and keeps
   * them open: a half-open connection. Answers how many they are. New connections work.
   */
  swallow(sent: string): number;
  stop(): Promise<void>;
}

/** Starts a proxy on a port of its own. */
export async function startLossyTcpProxy(targetPort: number): Promise<LossyTcpProxy> {
  const links = new Set<{
    readonly client: Socket;
    readonly server: Socket;
    sent: string;
    isLost: boolean;
  }>();
  const listener = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const link = { client, server, sent: '', isLost: false };
    links.add(link);
    client.on('data', (bytes) => {
      if (link.isLost) return;
      link.sent = (link.sent + bytes.toString('latin1')).slice(-10_000);
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!link.isLost) client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {}); // 'close' follows
      one.on('close', () => {
        links.delete(link);
        if (!link.isLost || one === client) other.destroy();
      });
    }
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    swallow(sent) {
      const lost = [...links].filter((link) => link.sent.includes(sent));
      for (const link of lost) link.isLost = true;
      return lost.length;
    },
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
