import type { ClusterNodes } from './cluster-nodes.ts';

/** Which node of a cluster carries a subscription. */
export interface ClusterHomes {
  /** `host:port`; null where nobody is known to carry this channel now. */
  of(channel: string): string | null;
  /** The connection to this node was lost. */
  lost(address: string): void;
}

/** Sharded channels are heard at the master of their slot, and nowhere else. */
export function shardedHomes(nodes: ClusterNodes): ClusterHomes {
  return { of: (channel) => nodes.ownerOf(channel), lost() {} };
}

/** Plain channels are heard at every node: one is chosen by chance, and another one as soon as that is lost. */
export function plainHome(nodes: ClusterNodes, random: () => number = Math.random): ClusterHomes {
  let home: string | null = null;
  const choose = (except: string | null) => {
    const addresses = nodes.masterAddresses();
    const others = addresses.filter((address) => address !== except);
    const choice = others.length > 0 ? others : addresses;
    return choice[Math.floor(random() * choice.length)] ?? null;
  };
  return {
    of() {
      if (home === null || nodes.find(home) === undefined) home = choose(home);
      return home;
    },
    lost(address) {
      if (address === home) home = choose(address);
    },
  };
}
