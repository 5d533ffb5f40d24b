import { LitElement, type PropertyDeclarations } from 'lit';
import type { EntityRef } from '../core/index.ts';
import { requestClient } from './client-request.ts';
import type { Lease, LeaseHandle, LeaseState, LeaseView, LockClient } from './client/index.ts';
import { BLOCKED_STATES } from './client/lease-state.ts';
import { IDLE_VIEW } from './client/lease-view.ts';
import { idleRelease } from './idle-release.ts';
import { ExtendableLockEvent, LockEvent } from './lock-events.ts';
import { namedEntity } from './named-entity.ts';
import { typedValues } from './typed-values.ts';

/**
 * One form's side of a lease: which record it follows, what it has told the application, whether the form is shut.
 * Having the lock is not enough to open it: what it shows must not be old. And whoever is typing is not interrupted by
 * a question that has no answer yet. A subclass shows it.
 */
export abstract class LeaseElement extends LitElement {
  static override properties: PropertyDeclarations = {
    entityType: { attribute: 'entity-type' },
    entityUid: { attribute: 'entity-uid' },
    claim: {},
    wait: {},
    releaseOnLeave: { attribute: 'release-on-leave' },
    claimTimeout: { attribute: 'claim-timeout', type: Number },
    idleAfter: { attribute: 'idle-after', type: Number },
  };

  /** The kind of record, as the server knows it. */
  declare entityType: string;
  /** Which record. Empty (a new record) = nothing is claimed, and the form is editable. */
  declare entityUid: string;
  /** When to claim: with the page, at the first edit (which is not held up), or by `claimNow()` alone. */
  declare claim: 'open' | 'edit' | 'manual';
  /** Whether to claim by itself as soon as a held lock becomes free. */
  declare wait: 'auto' | 'off';
  /** Whether to let go when the page is left; `"false"` keeps the lock until its lease ends. */
  declare releaseOnLeave: boolean | string | null;
  /** Milliseconds after which a claim without an answer counts as `unknown`; 0 = the client's default. */
  declare claimTimeout: number;
  /**
   * Milliseconds without any input in here after which the lock is let go, with a warning before and a silent return
   * after; 0 = never.
   */
  declare idleAfter: number;

  /** The lease as last heard. */
  protected view: LeaseView = IDLE_VIEW;
  /** The application loads the record anew, and the form stays shut; null where that has failed. */
  protected isLoading: boolean | null = false;
  /** The form was open, so something may have been typed since. */
  protected wasOpen = false;
  /** @internal Lets go when nobody is there. */
  protected readonly idle = idleRelease(this);

  #client: LockClient | null = null;
  #leaveClient = (): void => {};
  /** What is followed, and kept while the element moves within the page. */
  #ref: EntityRef | null = null;
  #lease: Lease | null = null;
  #handle: LeaseHandle | null = null;
  #unsubscribe = (): void => {};
  #told: LeaseState = 'idle';
  #load: Promise<unknown> | null = null;
  /** The question comes from an open form. */
  #isUnobtrusive = false;

  constructor() {
    super();
    this.entityType = this.entityUid = '';
    this.claim = 'open';
    this.wait = 'auto';
    this.releaseOnLeave = null;
    this.claimTimeout = this.idleAfter = 0;
  }

  /** What the lock is to this form: `claiming` from the first moment at which a claim is due. */
  get state(): LeaseState {
    const { state } = this.view;
    return state === 'idle' && this.ref !== null && this.claimsAtOnce ? 'claiming' : state;
  }

  /** Nothing can be edited now: somebody else has the lock, an answer is awaited, or the data is old. */
  get blocked(): boolean {
    const { state } = this;
    if (state === 'mine') return this.view.stale || this.isLoading !== false;
    return BLOCKED_STATES.has(state) && !(state === 'claiming' && this.#isUnobtrusive);
  }

  /** The record that is named; null while a part of its name is empty. */
  get ref(): EntityRef | null {
    return namedEntity(this.entityType, this.entityUid);
  }

  /** Claims, whatever the attribute `claim` says. Does nothing where the lock is this page's already. */
  claimNow(): void {
    this.#follow();
    void this.#handle?.lease.claim();
  }

  /** Takes the lock from the holder that is shown. Rejects where the server refuses; then nothing has changed. */
  async takeOver(): Promise<void> {
    await this.#handle?.lease.takeOver();
  }

  /**
   * Lets go, unless `lock-before-release` is cancelled; what that event is told to wait for comes first. Answers
   * whether it let go, and rejects as the awaited work does. `isStillIdle` is asked after that: false keeps the lock.
   */
  async release(isStillIdle?: () => boolean): Promise<boolean> {
    const { ref } = this;
    const lease = this.#handle?.lease;
    if (lease === undefined || ref === null) return false;
    const event = new ExtendableLockEvent('lock-before-release', { ref, isIdle: !!isStillIdle }, true);
    if (!this.dispatchEvent(event)) return false;
    await event.settled;
    if (isStillIdle?.() === false) return false;
    await lease.release();
    return true;
  }

  /** Says that the page shows the record as it is now: opens a form that waited for that. */
  loaded(): void {
    this.#forgetLoad();
    this.#lease?.loaded();
    this.apply();
  }

  /** @internal Where the form is, once that is drawn. */
  get body(): HTMLElement | null {
    return this.shadowRoot?.querySelector<HTMLElement>('[part=body]') ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Blocks before anything is asked; the lease follows with the update, when all attributes are there.
    this.apply();
    this.#leaveClient = requestClient(this, (client) => {
      if (this.#client !== client) {
        this.#close();
        this.#lease = null;
      }
      this.#client = client;
      this.requestUpdate();
    });
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leaveClient();
    this.#close();
    this.idle.stop();
  }

  protected override willUpdate(): void {
    this.#follow();
    if (this.isConnected) this.idle.follow(this.view.state);
  }

  /** @internal Makes what is shown follow what is known. */
  abstract apply(): void;

  /** Whether a claim is due as soon as there is a record. */
  protected get claimsAtOnce(): boolean {
    return !/edit|manual/.test(this.claim);
  }

  /** @internal Claims because somebody is about to type, or types. What is typed until the answer is not stopped. */
  claimUnobtrusively(): void {
    this.#follow();
    this.#isUnobtrusive = true;
    this.claimNow();
  }

  /** Keeps the form shut until the application has loaded the record, even where that replaces this element. */
  protected waitFor(load: Promise<unknown>): void {
    this.#load = load;
    this.isLoading = true;
    load.then(
      () => this.#load === load && this.loaded(),
      (error: unknown) => {
        // eslint-disable-next-line no-console -- the application's own failure, which would vanish here
        console.error('Rowlock: loading has failed.', error);
        if (this.#load !== load) return;
        this.isLoading = null;
        this.apply();
      },
    );
    this.apply();
  }

  /** Follows the lease of the record that is named, and claims it where that is due. */
  #follow(): void {
    const { ref, wait, claimTimeout, releaseOnLeave } = this;
    if (!this.isConnected || this.#client === null) return;
    const isSame = JSON.stringify(ref) === JSON.stringify(this.#ref);
    // Where the two states differ, `claim` has changed, and a claim is due.
    if (this.#handle !== null && isSame && this.state === this.view.state) return;
    this.#close();
    if (ref === null) {
      this.#lease = null;
      this.#show(IDLE_VIEW);
      return;
    }
    this.#handle = this.#client.openLease(ref, {
      wait: wait === 'off' ? wait : 'auto',
      // Back in the page, a form still shows what it showed.
      ...(isSame && { fence: this.#lease?.fence }),
      ...(claimTimeout > 0 && { claimTimeoutMs: claimTimeout }),
      ...(releaseOnLeave !== null && { releaseOnLeave: String(releaseOnLeave) !== 'false' }),
    });
    const { lease } = this.#handle;
    // A form that is new to a lease asks again, unless the lease is on its way already.
    const due = lease === this.#lease ? /idle/ : /idle|released|unknown|error/;
    if (lease !== this.#lease) {
      // Nothing that was known of the last one holds for it.
      this.#told = 'idle';
      this.wasOpen &&= isSame;
      this.#isUnobtrusive = false;
      this.#forgetLoad();
    }
    this.#lease = lease;
    this.#ref = ref;
    this.#unsubscribe = lease.subscribe((view) => this.#show(view));
    this.#show(lease.view);
    if (this.claimsAtOnce && due.test(lease.view.state)) void lease.claim();
  }

  /** The client waits a moment before it lets go, so that an element may move within the page. Idempotent. */
  #close(): void {
    this.#unsubscribe();
    this.#handle?.close();
    this.#handle = null;
  }

  #forgetLoad(): void {
    this.#load = null;
    this.isLoading = false;
  }

  #show(view: LeaseView): void {
    const [ref, previous] = [this.#ref, this.#told];
    if (ref === null) return;
    this.view = view;
    this.idle.follow(view.state);
    const { state, wasOpen } = this;
    if (state === previous) {
      this.apply();
      return;
    }
    this.#told = state;
    this.#forgetLoad();
    this.#isUnobtrusive = state === 'claiming' && (this.#isUnobtrusive || /unknown|error/.test(previous));
    const values = state === 'lost' ? typedValues(this.body ?? this) : {};
    const detail = { ...view, ...view.error, ref, wasOpen, getValues: () => values };
    const Outcome = state === 'mine' ? ExtendableLockEvent : LockEvent;
    const event = new Outcome(`lock-${state === 'mine' ? 'acquired' : state}`, detail);
    // While the form still is as it was: what was typed is handed over before it is blocked.
    if (state !== 'idle' && state !== 'claiming') this.dispatchEvent(event);
    // A handler may have gone on already.
    if (this.view !== view) return;
    if (event instanceof ExtendableLockEvent && event.settled !== null) this.waitFor(event.settled);
    else this.apply();
    this.dispatchEvent(new LockEvent('lock-statechange', { ref, state, previous }));
  }
}
