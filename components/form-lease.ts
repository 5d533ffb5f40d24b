import type { EntityRef } from '../core/index.ts';
import type { Lease, LeaseOptions, LeaseState, LeaseView, LockClient } from './client/index.ts';
import { FormGate, type LoadState } from './form-gate.ts';
import { LeaseConnection } from './lease-connection.ts';
import { ExtendableLockEvent, LockStateChangeEvent, type LockEvent } from './lock-events.ts';
import { outcomeEvent } from './outcome-event.ts';

/** What a form's side of a lease needs of the element. */
export interface FormHost {
  /** Where the form is: what was typed is read from there. */
  readonly body: () => Element;
  /** Whether a claim is due as soon as there is a record. */
  readonly claimsAtOnce: () => boolean;
  /** Dispatches an event to the application. Answers false when that was cancelled. */
  readonly dispatch: (event: LockEvent) => boolean;
  /** Something that is shown, or whether the form is shut, has changed. */
  readonly changed: () => void;
}

/** One form's side of a lease: which record it follows, what it has told the application, whether the form is shut. */
export class FormLease {
  readonly #host: FormHost;
  readonly #gate = new FormGate();
  readonly #connection = new LeaseConnection((view) => this.#show(view));
  #ref: EntityRef | null = null;
  #view: LeaseView | null = null;
  #told: LeaseState = 'idle';

  constructor(host: FormHost) {
    this.#host = host;
  }

  /** The lease while it is open. */
  get lease(): Lease | null {
    return this.#connection.lease;
  }

  get view(): LeaseView | null {
    return this.#view;
  }

  get load(): LoadState {
    return this.#gate.load;
  }

  /** Something may have been typed into this record's form. */
  get wasOpen(): boolean {
    return this.#gate.wasOpen;
  }

  /** Whether nothing may be typed in `state`. */
  isShut(state: LeaseState): boolean {
    return this.#gate.isShut(state, this.#view?.stale ?? false);
  }

  /** The form is open, so from now on something may have been typed. */
  noteOpen(): void {
    this.#gate.noteOpen();
  }

  /** Follows the lease of `ref` from now on, and claims it where that is due; null lets go of the last one. */
  open(client: LockClient, ref: EntityRef | null, options: LeaseOptions): void {
    if (ref === null) {
      this.close();
      this.#follow(null);
      return;
    }
    const opened = this.#connection.open(client, ref, options);
    const { lease } = this.#connection;
    if (lease === null) return;
    if (opened === 'opened') this.#follow(ref);
    this.#show(lease.view);
    // A form that is new to a lease asks again, unless the lease is on its way already.
    const isOver = opened === 'opened' && /^(released|unknown|error)$/.test(lease.view.state);
    if (this.#host.claimsAtOnce() && (isOver || lease.view.state === 'idle')) void lease.claim();
  }

  /** Closes the lease, keeping what is known of it: the element may only be moving within the page. */
  close(): void {
    this.#connection.close();
  }

  /** Claims because somebody has begun to type. What is typed until the answer comes is not stopped. */
  claimUnobtrusively(): void {
    this.#gate.beginUnobtrusive();
    void this.lease?.claim();
  }

  /** Keeps the form shut until the application has loaded the record, even where that replaces this element. */
  waitFor(load: Promise<unknown>): void {
    const { lease } = this;
    this.#gate.waitFor(load, (isLoaded) => {
      if (isLoaded) lease?.loaded();
      this.#host.changed();
    });
    this.#host.changed();
  }

  /** The form shows the record as it is now. */
  loaded(): void {
    this.#gate.loaded();
    this.lease?.loaded();
    this.#host.changed();
  }

  /** Another record: nothing that was known of the last one holds for it. */
  #follow(ref: EntityRef | null): void {
    const [previousRef, previous] = [this.#ref, this.#told];
    this.#ref = ref;
    this.#view = null;
    this.#told = 'idle';
    this.#gate.reset();
    if (ref !== null) return;
    this.#host.changed();
    if (previousRef !== null) this.#host.dispatch(new LockStateChangeEvent(previousRef, 'idle', previous));
  }

  #show(view: LeaseView): void {
    const [ref, previous] = [this.#ref, this.#told];
    if (ref === null) return;
    this.#view = view;
    const state = view.state === 'idle' && this.#host.claimsAtOnce() ? 'claiming' : view.state;
    if (state === previous) {
      this.#host.changed();
      return;
    }
    this.#told = state;
    this.#gate.enter(state, previous);
    // While the form still is as it was: what was typed is handed over before it is blocked.
    const event = outcomeEvent(ref, state, view, { body: this.#host.body(), wasOpen: this.wasOpen });
    if (event !== null) this.#host.dispatch(event);
    // A handler may have gone on already.
    if (this.#view !== view) return;
    if (event instanceof ExtendableLockEvent && event.settled !== null) this.waitFor(event.settled);
    else this.#host.changed();
    this.#host.dispatch(new LockStateChangeEvent(ref, state, previous));
  }
}
