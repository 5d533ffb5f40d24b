import { ContextConsumer, ContextProvider } from '@lit/context';
import { html, LitElement } from 'lit';
import type { EntityRef, LiveLock } from '../core/index.ts';
import { guardContent, plainMessage } from './banner-content.ts';
import { BodyBlocker, type Blocking } from './body-blocker.ts';
import { isOn } from './boolean-attribute.ts';
import { defaultClient, type LeaseState, type LeaseView } from './client/index.ts';
import { watchEdits } from './edit-watcher.ts';
import { FormLease } from './form-lease.ts';
import { clientContext, guardContext, type GuardContext } from './lock-contexts.ts';
import { LockBeforeReleaseEvent, LockReloadEvent } from './lock-events.ts';
import { lockGuardStyles } from './lock-guard.styles.ts';
import { namedEntity } from './named-entity.ts';
import { nearestLanguage } from './nearest-language.ts';

/**
 * Claims the lock of one record, and blocks what it contains while somebody else edits that record. Once the form was
 * open, its text stays readable and can be copied whatever happens: from then on it is only blocked as `readonly`.
 *
 * @tagname lock-guard
 * @slot - The whole form, its buttons included. Blocked while claiming, while somebody else holds the lock, and after losing it.
 * @slot banner - Replaces the built-in `<lock-banner>`. Never blocked.
 * @csspart body - What is blocked, round the default slot.
 * @csspart banner - The built-in banner's box. Its `icon`, `text`, `detail`, `action`, `take-over` and `dialog` are
 *   exported as well.
 * @cssState idle - Nothing was claimed yet.
 * @cssState claiming - An answer is awaited.
 * @cssState mine - The lock is this page's.
 * @cssState held - Somebody else holds it.
 * @cssState lost - It was this page's, and is no longer.
 * @cssState unknown - Nobody can say.
 * @cssState error - The server refused.
 * @cssState released - This page let go.
 * @cssState blocked - Nothing can be edited now.
 * @fires {LockAcquiredEvent} lock-acquired - The lock is this page's; `waitUntil()` keeps the form blocked.
 * @fires {LockHeldEvent} lock-held - Somebody else holds the lock.
 * @fires {LockLostEvent} lock-lost - The lock is no longer this page's; `getValues()` has what was typed.
 * @fires {LockReleasedEvent} lock-released - This page let go.
 * @fires {LockUnknownEvent} lock-unknown - Nobody can say who holds the lock; the form is editable.
 * @fires {LockErrorEvent} lock-error - The server refused for good; the form is editable.
 * @fires {LockStateChangeEvent} lock-statechange - After every change of `state`.
 * @fires {LockBeforeReleaseEvent} lock-before-release - Cancelable: `release()` was called; `waitUntil()` saves first.
 * @fires {LockReloadEvent} lock-reload - Cancelable: fresh data is asked for; otherwise the page is reloaded.
 */
export class LockGuard extends LitElement {
  static override styles = lockGuardStyles;
  static override properties = {
    entityType: { attribute: 'entity-type' },
    entityUid: { attribute: 'entity-uid' },
    claim: {},
    blocking: {},
    wait: {},
    releaseOnLeave: { attribute: 'release-on-leave' },
    claimTimeout: { attribute: 'claim-timeout', type: Number },
  };

  /** The kind of record, as the server knows it. */
  declare entityType: string;
  /** Which record. Empty (a new record) = nothing is claimed, and the form is editable. */
  declare entityUid: string;
  /** When to claim: with the page, at the first edit (which is not held up), or by `claimNow()` alone. */
  declare claim: 'open' | 'edit' | 'manual';
  /** How to block a form that was not open yet. */
  declare blocking: Blocking;
  /** Whether to claim by itself as soon as a held lock becomes free. */
  declare wait: 'auto' | 'off';
  /** Whether to let go when the page is left; `"false"` keeps the lock until its lease ends. */
  declare releaseOnLeave: boolean | string | null;
  /** Milliseconds after which a claim without an answer counts as `unknown`; 0 = the client's default. */
  declare claimTimeout: number;

  readonly #form: FormLease = new FormLease({
    body: () => this.#body ?? this,
    claimsAtOnce: () => this.#claimsAtOnce,
    dispatch: (event) => this.dispatchEvent(event),
    changed: () => this.#apply(),
  });
  readonly #blocker = new BodyBlocker(this);
  readonly #internals = this.attachInternals();
  readonly #client = new ContextConsumer(this, { context: clientContext, subscribe: true });
  readonly #banner = new ContextProvider(this, { context: guardContext, initialValue: this.#context(null) });

  constructor() {
    super();
    this.entityType = '';
    this.entityUid = '';
    this.claim = 'open';
    this.blocking = 'inert';
    this.wait = 'auto';
    this.releaseOnLeave = null;
    this.claimTimeout = 0;
    watchEdits(
      this,
      () => this.#body,
      () => this.#onEdit(),
    );
  }

  /** What the lock is to this form: `claiming` from the first moment at which a claim is due. */
  get state(): LeaseState {
    const state = this.#form.view?.state ?? 'idle';
    return state === 'idle' && this.ref !== null && this.#claimsAtOnce ? 'claiming' : state;
  }

  /** The lock as last heard: one's own, or the other's. */
  get lock(): LiveLock | null {
    return this.#form.view?.lock ?? null;
  }

  /** Another holder had the record since this page's last fence; null = cannot say. */
  get changed(): boolean | null {
    return this.#form.view?.changed ?? null;
  }

  /** Nothing can be edited now: somebody else has the lock, an answer is awaited, or the data is old. */
  get blocked(): boolean {
    return this.#form.isShut(this.state);
  }

  /** The record that is named; null while a part of its name is empty. */
  get ref(): EntityRef | null {
    return namedEntity(this.entityType, this.entityUid);
  }

  /** Claims, whatever the attribute `claim` says. Does nothing where the lock is this page's already. */
  claimNow(): void {
    this.#open();
    void this.#form.lease?.claim();
  }

  /** Takes the lock from the holder that is shown. Rejects where the server refuses; then nothing has changed. */
  async takeOver(): Promise<void> {
    await this.#form.lease?.takeOver();
  }

  /**
   * Lets go, unless `lock-before-release` is cancelled; what that event is told to wait for comes first. Answers
   * whether it let go, and rejects as the awaited work does.
   */
  async release(): Promise<boolean> {
    const { ref } = this;
    const { lease } = this.#form;
    if (lease === null || ref === null) return false;
    const event = new LockBeforeReleaseEvent(ref);
    if (!this.dispatchEvent(event)) return false;
    await event.settled;
    await lease.release();
    return true;
  }

  /** Asks for fresh data by `lock-reload`; where nobody answers that, the page is loaded again. */
  reload(): void {
    const { ref } = this;
    if (ref === null) return;
    const event = new LockReloadEvent(ref);
    const isUnanswered = this.dispatchEvent(event);
    if (event.settled !== null) this.#form.waitFor(event.settled);
    else if (isUnanswered) this.reloadPage();
  }

  /** Says that the page shows the record as it is now: opens a form that waited for that. */
  loaded(): void {
    this.#form.loaded();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Blocks before anything is asked; the lease follows with the update, when all attributes are there.
    this.#apply();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#form.close();
    this.#banner.setValue(this.#context(null));
  }

  protected override willUpdate(): void {
    this.#open();
  }

  protected override updated(): void {
    if (this.isConnected) this.#apply();
  }

  protected override render(): unknown {
    return html`<slot name="banner"
        ><lock-banner exportparts="banner, icon, text, detail, action, take-over, dialog"></lock-banner
      ></slot>
      <div part="body"><slot></slot></div>`;
  }

  /** What reloading means where the application does not say. */
  protected reloadPage(): void {
    location.reload();
  }

  get #claimsAtOnce(): boolean {
    return this.claim !== 'edit' && this.claim !== 'manual';
  }

  get #body(): Element | null {
    return this.shadowRoot?.querySelector('[part=body]') ?? null;
  }

  #open(): void {
    if (!this.isConnected) return;
    const { claimTimeout, releaseOnLeave } = this;
    this.#form.open(this.#client.value ?? defaultClient(), this.ref, {
      wait: this.wait === 'off' ? 'off' : 'auto',
      ...(claimTimeout > 0 ? { claimTimeoutMs: claimTimeout } : {}),
      ...(releaseOnLeave === null ? {} : { releaseOnLeave: isOn(releaseOnLeave) }),
    });
  }

  #onEdit(): void {
    const { state } = this;
    if (this.claim === 'manual' || (state !== 'idle' && state !== 'released')) return;
    this.#open();
    this.#form.claimUnobtrusively();
  }

  /** Makes body, custom states and banners follow what is known now. */
  #apply(): void {
    const { blocked, state } = this;
    const context = this.#context(this.#form.view);
    if (!blocked) this.#form.noteOpen();
    const content = guardContent(context);
    this.#blocker.set(blocked ? (this.#form.wasOpen ? 'readonly' : this.blocking) : null, {
      isLoading: context.load === 'pending',
      label: content === null ? '' : plainMessage(nearestLanguage(this), content.text, content.values),
    });
    this.#internals.states.clear();
    for (const name of blocked ? [state, 'blocked'] : [state]) this.#internals.states.add(name);
    this.#banner.setValue(context);
  }

  #context(view: LeaseView | null): GuardContext {
    return { view, load: this.#form.load, offersEdit: this.#claimsAtOnce, guard: this };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-guard': LockGuard;
  }
}
