import type { Principal } from '../../core/index.ts';

export interface ConnectionCapsOptions {
  readonly perUser: number;
  readonly perAddress: number;
}

/** Counts a node's connections by user and by address. */
export class ConnectionCaps {
  readonly #options: ConnectionCapsOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: ConnectionCapsOptions) {
    this.#options = options;
  }

  /** Whether this caller may open one more. */
  hasRoom(principal: Principal, address: string): boolean {
    const { perUser, perAddress } = this.#options;
    return this.#count(userKey(principal)) < perUser && this.#count(addressKey(address)) < perAddress;
  }

  /** Counts one more; answers what counts it off again, once. */
  take(principal: Principal, address: string): () => void {
    const keys = [userKey(principal), addressKey(address)];
    for (const key of keys) this.#counts.set(key, this.#count(key) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of keys) {
        const count = this.#count(key) - 1;
        if (count > 0) this.#counts.set(key, count);
        else this.#counts.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function userKey({ tenant, oid }: Principal): string {
  return JSON.stringify([tenant, oid]);
}

/** No user's key: an address may be what a client wrote into a header. */
function addressKey(address: string): string {
  return `address ${address}`;
}
