import { requestClient } from './client-request.ts';
import type { LockClient, LockView } from './client/index.ts';
import { namedEntity } from './named-entity.ts';

/** An element that names a record. */
export interface NamesRecord extends Element {
  readonly entityType: string;
  readonly entityUid: string;
}

/** Watches the record that an element names, by the client of the provider around it. */
export class LockWatch {
  readonly #element: NamesRecord;
  readonly #show: (view: LockView | null) => void;
  #client: LockClient | null = null;
  #named = '';
  #leaveClient = (): void => {};
  #unwatch = (): void => {};

  /** `show` hears null at once whenever another record is named, then what is known of it. */
  constructor(element: NamesRecord, show: (view: LockView | null) => void) {
    this.#element = element;
    this.#show = show;
  }

  /** Idempotent, as is {@link stop}. */
  start(): void {
    this.#leaveClient = requestClient(this.#element, (client) => this.#use(client));
  }

  stop(): void {
    this.#leaveClient();
    this.#use(null);
  }

  /** The element may name another record. Does nothing where it does not. */
  update(): void {
    const ref = this.#client && namedEntity(this.#element.entityType, this.#element.entityUid);
    const named = JSON.stringify(ref);
    if (named === this.#named) return;
    this.#named = named;
    this.#unwatch();
    this.#unwatch = () => {};
    this.#show(null);
    if (this.#client !== null && ref !== null) this.#unwatch = this.#client.watch(ref, this.#show);
  }

  #use(client: LockClient | null): void {
    this.#client = client;
    this.#named = '';
    this.update();
  }
}
