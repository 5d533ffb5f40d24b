import type { ChangeFeed, UnstampedChange } from './change-feed.ts';
import type { EntityChange } from './entity-change.ts';
import { microClock, type MicroClock } from './micro-clock.ts';

/** The feed of a single process: delivers in the order of publication, misses nothing. */
export class MemoryChangeFeed implements ChangeFeed {
  readonly #listeners = new Set<(tenant: string, change: EntityChange) => void>();
  readonly #disconnectListeners = new Set<(tenant: string, oid: string) => void>();
  /** The clock of this feed and of the store that emits into it. */
  readonly clock: MicroClock;

  constructor(clock: MicroClock = microClock()) {
    this.clock = clock;
  }

  async join(): Promise<void> {}

  leave(): void {}

  async publish(tenant: string, change: UnstampedChange): Promise<void> {
    this.emit(tenant, { ...change, at: this.clock() });
  }

  /** For the store: a change that already carries its moment. */
  emit(tenant: string, change: EntityChange): void {
    for (const listener of this.#listeners) listener(tenant, change);
  }

  onChange(listener: (tenant: string, change: EntityChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(): () => void {
    return () => {};
  }

  async disconnectUser(tenant: string, oid: string): Promise<void> {
    for (const listener of this.#disconnectListeners) listener(tenant, oid);
  }

  onDisconnectUser(listener: (tenant: string, oid: string) => void): () => void {
    this.#disconnectListeners.add(listener);
    return () => this.#disconnectListeners.delete(listener);
  }
}
