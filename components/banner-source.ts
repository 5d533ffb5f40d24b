import { ContextConsumer, ContextEvent } from '@lit/context';
import type { ReactiveController, ReactiveElement } from 'lit';
import type { EntityRef } from '../core/index.ts';
import { guardContent, watchContent, type BannerContent } from './banner-content.ts';
import { defaultClient, type LockView } from './client/index.ts';
import { clientContext, guardContext, type GuardContext } from './lock-contexts.ts';
import { namedEntity } from './named-entity.ts';

/** A banner, as far as it says whom it speaks for. */
export interface BannerHost extends ReactiveElement {
  readonly for: string;
  readonly entityType: string;
  readonly entityUid: string;
}

/** Where a banner gets its news: from the record it names, from the guard it names, or from the guard around it. */
export class BannerSource implements ReactiveController {
  readonly #host: BannerHost;
  readonly #client;
  readonly #around;
  #followed: readonly unknown[] = [];
  #entity: EntityRef | null = null;
  #stop = (): void => {};
  #named: GuardContext | null = null;
  #watched: LockView | null = null;

  constructor(host: BannerHost) {
    this.#host = host;
    this.#client = new ContextConsumer(host, { context: clientContext, subscribe: true });
    this.#around = new ContextConsumer(host, { context: guardContext, subscribe: true });
    host.addController(this);
  }

  /** The guard it speaks for, null for a record that is only watched. */
  get guard(): GuardContext | null {
    if (this.#entity !== null) return null;
    return this.#host.for ? this.#named : (this.#around.value ?? null);
  }

  /** What there is to say now. */
  get content(): BannerContent | null {
    return this.#entity === null ? this.guard && guardContent(this.guard) : watchContent(this.#watched);
  }

  /** Makes the subscriptions fit the attributes. Idempotent. */
  follow(): void {
    const { for: id, entityType, entityUid, isConnected } = this.#host;
    const client = this.#client.value ?? defaultClient();
    const wanted = [client, id, entityType, entityUid];
    if (!isConnected || wanted.every((value, index) => value === this.#followed[index])) return;
    this.hostDisconnected();
    this.#followed = wanted;
    const entity = namedEntity(entityType, entityUid);
    this.#entity = entity;
    if (entity !== null) this.#stop = client.watch(entity, (view) => this.#hear(view));
    else if (id) this.#followGuard(id);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#stop();
    this.#stop = () => {};
    this.#followed = [];
    this.#entity = this.#named = this.#watched = null;
  }

  #hear(view: LockView | null): void {
    this.#watched = view;
    this.#host.requestUpdate();
  }

  #followGuard(id: string): void {
    const root = this.#host.getRootNode() as Document | ShadowRoot;
    let unsubscribe: (() => void) | undefined;
    const receive = (value: GuardContext, leave?: () => void): void => {
      if (leave !== unsubscribe) unsubscribe?.();
      unsubscribe = leave;
      this.#named = value;
      this.#host.requestUpdate();
    };
    const ask = (): void => {
      const guard = root.getElementById(id);
      // Before it is upgraded it would not answer, but a guard around it would.
      if (guard && 'claimNow' in guard) {
        guard.dispatchEvent(new ContextEvent(guardContext, this.#host, receive, true));
      }
    };
    // Guards announce themselves: the one that is named may come later, or come anew.
    root.addEventListener('context-provider', ask);
    this.#stop = () => {
      root.removeEventListener('context-provider', ask);
      unsubscribe?.();
    };
    ask();
  }
}
