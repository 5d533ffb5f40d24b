import type { EntityRef, LiveLock } from '../core/index.ts';
import type { LeaseState } from './client/lease-state.ts';
import type { TypedValues } from './typed-values.ts';

/** What all events of a guard share: they bubble, cross shadow boundaries, and name their record. */
export class LockEvent extends Event {
  /** The record that the event is about. */
  declare readonly ref: EntityRef;

  /** `detail` becomes properties of the event. */
  constructor(
    type: string,
    detail: Readonly<Record<string, unknown>> & { readonly ref: EntityRef },
    isCancelable = false,
  ) {
    super(type, { bubbles: true, composed: true, cancelable: isCancelable });
    Object.assign(this, detail);
  }
}

/** An event whose consequence waits for the application's own work. */
export class ExtendableLockEvent extends LockEvent {
  /** @internal Null when nobody waits. */
  settled: Promise<unknown> | null = null;

  /**
   * Makes the guard wait until `promise` settles; several calls wait for all. Throws `InvalidStateError` once the
   * event was handled: call it before the first `await` of a handler.
   */
  waitUntil(promise: PromiseLike<unknown>): void {
    if (this.eventPhase === Event.NONE) {
      throw new DOMException('waitUntil(): the event is over.', 'InvalidStateError');
    }
    this.settled = Promise.all([this.settled, promise]);
  }
}

/**
 * `lock-acquired`: the lock is this page's. The form stays blocked until everything given to `waitUntil` settles; a
 * rejection keeps it blocked and offers to reload. "Claim, then load" is the safe order.
 */
export interface LockAcquiredEvent extends ExtendableLockEvent {
  /** The lock, as the server answered; null where it did not say. */
  readonly lock: LiveLock | null;
  /** Another holder had the record since this page's last fence; null = cannot say. */
  readonly changed: boolean | null;
  /** The data on the page is known to be old. */
  readonly stale: boolean;
  /** Somebody may have typed already (after an outage, say): loading anew would throw that away. */
  readonly wasOpen: boolean;
}

/** `lock-before-release`: cancel it to keep the lock, or save first with `waitUntil`; a rejection keeps the lock. */
export interface LockBeforeReleaseEvent extends ExtendableLockEvent {
  /** Nobody has done anything for `idle-after`; otherwise `release()` was called. */
  readonly isIdle: boolean;
}

/** `lock-held`: somebody else holds the lock, the form is blocked. */
export interface LockHeldEvent extends LockEvent {
  /** The holder's lock; null where it is not known. */
  readonly lock: LiveLock | null;
}

/** `lock-lost`: the lock was this page's and is no longer. Dispatched before the form is blocked. */
export interface LockLostEvent extends LockEvent {
  /** The new holder's lock, null where nobody holds it. */
  readonly lock: LiveLock | null;
  /** What the form contained at that moment, by name; passwords, files and `[data-lock-private]` are left out. */
  getValues(): TypedValues;
}

/** `lock-error`: the server refused for good, for example because the type is not lockable. The form is editable. */
export interface LockErrorEvent extends LockEvent {
  /** Stable, for example `type-not-lockable`; `""` where the server gave none. */
  readonly code: string;
  /** What the server said, in English, for logs. */
  readonly message: string;
}

/** `lock-statechange`: after every change of `state`, when the form is already open or blocked accordingly. */
export interface LockStateChangeEvent extends LockEvent {
  /** The state now. */
  readonly state: LeaseState;
  /** The state before. */
  readonly previous: LeaseState;
}

/**
 * `lock-blocking`: what is blocked has changed, and the form is like that already. The first one comes when the guard
 * has drawn itself, and one for each other record. For what the guard does not reach: editors in frames, toolbars
 * outside it. What was before is the guard's property `blocked`.
 */
export interface LockBlockingEvent extends LockEvent {
  /** Nothing can be edited now. */
  readonly blocked: boolean;
  /** How it is blocked; null = it is not. */
  readonly blocking: 'inert' | 'readonly' | null;
}

declare global {
  interface GlobalEventHandlersEventMap {
    'lock-acquired': LockAcquiredEvent;
    'lock-held': LockHeldEvent;
    'lock-lost': LockLostEvent;
    /** This page let go. */
    'lock-released': LockEvent;
    /** Nobody can say who holds the lock (outage, no answer in time). The form is editable. */
    'lock-unknown': LockEvent;
    'lock-error': LockErrorEvent;
    'lock-statechange': LockStateChangeEvent;
    'lock-blocking': LockBlockingEvent;
    'lock-before-release': LockBeforeReleaseEvent;
    /**
     * The user asked for fresh data. Give its loading to `waitUntil`, and the form opens when that is done; or cancel
     * it and call the guard's `loaded()` later. Otherwise the page is reloaded.
     */
    'lock-reload': ExtendableLockEvent;
  }
}
