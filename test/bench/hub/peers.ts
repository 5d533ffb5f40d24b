import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDotnet, findDotnet } from '../../support/dotnet.ts';
import type { Launch } from './server-process.ts';
import { BARE, SIGNALR, SOCKET_IO, type Wire } from './wire.ts';

export const PEER_NAMES = ['rowlock', 'bare-ws', 'socket.io', 'aspnet', 'floor'] as const;
export type PeerName = (typeof PEER_NAMES)[number] | 'before';

/** One of the servers that are compared. */
export interface Peer {
  readonly name: PeerName;
  readonly label: string;
  readonly wire: Wire;
  readonly launch: Launch;
}

export interface PeerOptions {
  /** The working copy to measure. Default: this one. */
  readonly ours?: string;
  /** Another working copy of ours, to compare with itself. */
  readonly before?: string;
  /** Where the CPU profile of one of Node's servers goes. */
  readonly profile?: { readonly name: string; readonly folder: string };
}

/** The peers that this machine can start, and why it cannot start the others. */
export interface Peers {
  readonly peers: readonly Peer[];
  readonly missing: readonly { readonly name: PeerName; readonly reason: string }[];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SERVERS = `${ROOT}test/bench/hub/servers/`;

/** Builds what has to be built. Throws when one of ours cannot be; a peer that is not there is named, not replaced. */
export async function findPeers({ ours = ROOT, before, profile }: PeerOptions): Promise<Peers> {
  const node = async (name: string, script: string, env: Readonly<Record<string, string>> = {}) => {
    const built = `${ROOT}.cache/bench/${script}.mjs`;
    await bundle(`${SERVERS}${script}.ts`, built);
    const profiling =
      profile?.name === name
        ? ['--cpu-prof', `--cpu-prof-dir=${profile.folder}`, '--cpu-prof-interval=200']
        : [];
    return { file: process.execPath, args: ['--expose-gc', ...profiling, built], env };
  };
  const rowlock = async (name: string, folder: string) => {
    const root = folder.endsWith('/') ? folder : `${folder}/`;
    // As deep as server/redis/, which finds lua/ by its own place.
    const module = `${root}.cache/bench/rowlock-server.mjs`;
    await bundle(`${root}server/index.ts`, module);
    return await node(name, 'rowlock', { BENCH_SERVER_MODULE: module });
  };
  const peers: Peer[] = [
    { name: 'rowlock', label: 'Rowlock', wire: SIGNALR, launch: await rowlock('rowlock', ours) },
    { name: 'bare-ws', label: 'bare `ws`', wire: BARE, launch: await node('bare-ws', 'bare-ws') },
    { name: 'socket.io', label: 'socket.io', wire: SOCKET_IO, launch: await node('socket.io', 'socket-io') },
  ];
  const dotnet = findDotnet();
  if (dotnet.missing === false) {
    const dll = await buildDotnet(fileURLToPath(new URL('../dotnet-hub', import.meta.url)));
    const launch = { file: dotnet.path, args: ['exec', dll] };
    peers.push({ name: 'aspnet', label: 'ASP.NET Core SignalR', wire: SIGNALR, launch });
  }
  peers.push({
    name: 'floor',
    label: 'floor: raw frames',
    wire: BARE,
    launch: await node('floor', 'raw-frames'),
  });
  if (before !== undefined) {
    peers.push({
      name: 'before',
      label: 'Rowlock before',
      wire: SIGNALR,
      launch: await rowlock('before', before),
    });
  }
  const missing = dotnet.missing === false ? [] : [{ name: 'aspnet', reason: dotnet.missing } as const];
  return { peers, missing };
}

/** One file without types, since a loader in the server's process would be measured, too. Packages stay outside. */
async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}
