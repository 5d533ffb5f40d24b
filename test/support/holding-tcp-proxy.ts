import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Which way a proxy holds bytes back. */
export interface HeldWays {
  /** From the client to the server. */
  readonly requests: boolean;
  /** From the server to the client. */
  readonly replies: boolean;
}

/** A TCP proxy that can become a black hole, and stop being one. */
export interface HoldingTcpProxy {
  readonly port: number;
  /** From now on nothing passes these ways, on new connections neither, and no end is told. */
  hold(ways: HeldWays): void;
  /**
   * Passes everything again. `delivered`: also what was held, as TCP does that repeats what was not acknowledged, even
   * where the client has closed meanwhile. `lost`: the connections that were held are cut.
   */
  release(held: 'delivered' | 'lost'): void;
  stop(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  toServer: Buffer[];
  toClient: Buffer[];
  isHeld: boolean;
}

/** Proxies a port of this machine. */
export async function startHoldingTcpProxy(targetPort: number): Promise<HoldingTcpProxy> {
  let held: HeldWays = { requests: false, replies: false };
  const isHolding = () => held.requests || held.replies;
  const links = new Set<Link>();
  const listener = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const link: Link = { client, server, toServer: [], toClient: [], isHeld: isHolding() };
    links.add(link);
    client.on('data', (bytes) => {
      if (held.requests) link.toServer.push(bytes);
      else server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (held.replies) link.toClient.push(bytes);
      else client.write(bytes);
    });
    for (const one of [client, server]) {
      one.on('error', () => {}); // 'close' follows
      one.on('close', () => {
        if (!isHolding()) end(link);
      });
    }
  });
  const end = (link: Link) => {
    links.delete(link);
    link.client.destroy();
    link.server.destroy();
  };
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    hold(ways) {
      held = ways;
      for (const link of links) link.isHeld = true;
    },
    release(how) {
      held = { requests: false, replies: false };
      for (const link of [...links].filter(({ isHeld }) => isHeld)) {
        link.isHeld = false;
        if (how === 'lost') {
          end(link);
          continue;
        }
        for (const bytes of link.toServer.splice(0)) link.server.write(bytes);
        for (const bytes of link.toClient.splice(0)) link.client.write(bytes);
        if (link.client.destroyed) link.server.end();
        else if (link.server.destroyed) link.client.end();
      }
    },
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const link of links) end(link);
      await closed;
    },
  };
}
