import { readFileSync } from 'node:fs';
import { LoadClient } from './load-client.ts';
import type { Peer, PeerName } from './peers.ts';
import type { BenchMemory } from './serve-bench.ts';
import { ServerProcess } from './server-process.ts';

/** Connections that come and go before the measurement: code is compiled, and pools have their usual size. */
const FIRST_CROWD = 500;

/** File descriptors of a process besides its connections: files, pipes, the event loop's own. */
const OTHER_DESCRIPTORS = 100;

/** Bytes of resident memory that one idle connection adds to a server's process, after garbage collections. */
export async function measureIdleMemory(
  peers: readonly Peer[],
  connections: number,
): Promise<ReadonlyMap<PeerName, number>> {
  const bytes = new Map<PeerName, number>();
  for (const peer of peers) {
    const server = await ServerProcess.start(peer.launch);
    try {
      (await LoadClient.join(server.port, peer.wire, FIRST_CROWD)).close();
      const before = await settledMemory(server);
      const crowd = await LoadClient.join(server.port, peer.wire, connections);
      bytes.set(peer.name, ((await settledMemory(server)) - before) / connections);
      crowd.close();
    } finally {
      await server.stop();
    }
  }
  return bytes;
}

/** What keeps this machine from so many connections; null = nothing. Node raises the soft limit to the hard one itself. */
export function whatIsMissingFor(connections: number): string | null {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null; // not Linux: a limit shows when it is reached
  }
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
  const needed = connections + OTHER_DESCRIPTORS;
  if (!(limit < needed)) return null;
  return `${connections} connections need ${needed} file descriptors, and the limit is ${limit}: ulimit -Hn ${needed}`;
}

/** Asks until two answers in a row are nearly the same: closing and collecting take their time. */
async function settledMemory(server: ServerProcess): Promise<number> {
  let last = 0;
  for (let asked = 0; asked < 20; asked += 1) {
    server.tell({ do: 'memory' });
    const { rssBytes } = await server.answer<BenchMemory>();
    if (Math.abs(rssBytes - last) < 64 * 1_024) return rssBytes;
    last = rssBytes;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return last;
}
