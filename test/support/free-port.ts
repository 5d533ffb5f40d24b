import { createServer } from 'node:net';

/**
 * A TCP port on the loopback address that was free a moment ago. It is not reserved: for our own servers listen on
 * port 0 instead, and use this only for programs that must be told their port.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error(`Expected a TCP address, got ${String(address)}`));
      });
    });
  });
}
