import type { DemoUserKey } from './demo-users.ts';

/** Who sent or heard something: one of the demo's users, in this page or in a page of theirs elsewhere. */
export interface WireParty {
  readonly user: DemoUserKey;
  readonly elsewhere: boolean;
}

/** A call of an HTTP API. `status` null = under way, 0 = no answer. */
export interface WireCall {
  readonly kind: 'call';
  readonly party: WireParty;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly tookMs: number;
}

/** A message of the hub, or its connection's coming and going (`target` empty). */
export interface WireMessage {
  readonly kind: 'message';
  readonly party: WireParty;
  /** SignalR's word for the method called here: `EntityChanged`, `Resync`. */
  readonly target: string;
  readonly text: string;
}

export type WireEntry = (WireCall | WireMessage) & { readonly id: number };

/** More would be history, not news. */
const KEEP = 80;

/** What went over the wire for one story, the newest first. */
export class WireLog {
  #entries: readonly WireEntry[] = [];
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  get entries(): readonly WireEntry[] {
    return this.#entries;
  }

  add(entry: WireCall | WireMessage): number {
    const id = this.#nextId++;
    this.#set([{ ...entry, id }, ...this.#entries].slice(0, KEEP));
    return id;
  }

  /** The call has been answered, or has failed. */
  ended(id: number, { status, tookMs }: Pick<WireCall, 'status' | 'tookMs'>): void {
    this.#set(
      this.#entries.map((entry) =>
        entry.id === id && entry.kind === 'call' ? { ...entry, status, tookMs } : entry,
      ),
    );
  }

  /** Hears every change. Returns its own unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(entries: readonly WireEntry[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}
