import type { EntityRef, LiveLock } from '../core/index.ts';
import type { LeaseState } from './client/lease-state.ts';
import type { TypedValues } from './typed-values.ts';

/** What all events of a guard share: they bubble, cross shadow boundaries, and name their record. */
export class LockEvent extends Event {
  /** The record that the event is about. */
  readonly ref: EntityRef;

  constructor(type: string, ref: EntityRef, { cancelable = false }: { readonly cancelable?: boolean } = {}) {
    super(type, { bubbles: true, composed: true, cancelable });
    this.ref = ref;
  }
}

/** An event whose consequence waits for the application's own work. */
export class ExtendableLockEvent extends LockEvent {
  readonly #promises: unknown[] = [];

  /**
   * Makes the guard wait until `promise` settles; several calls wait for all. Throws `InvalidStateError` once the
   * event was handled: call it before the first `await` of a handler.
   */
  waitUntil(promise: PromiseLike<unknown>): void {
    if (this.eventPhase === Event.NONE) {
      throw new DOMException(
        'waitUntil() must be called while the event is being handled.',
        'InvalidStateError',
      );
    }
    this.#promises.push(promise);
  }

  /** @internal Null when nobody waits. */
  get settled(): Promise<unknown> | null {
    return this.#promises.length === 0 ? null : Promise.all(this.#promises);
  }
}

/**
 * `lock-acquired`: the lock is this page's. The form stays blocked until everything given to `waitUntil` settles; a
 * rejection keeps it blocked and offers to reload. "Claim, then load" is the safe order.
 */
export class LockAcquiredEvent extends ExtendableLockEvent {
  readonly lock: LiveLock | null;
  /** Another holder had the record since this page's last fence; null = cannot say. */
  readonly changed: boolean | null;
  /** The data on the page is known to be old. */
  readonly stale: boolean;
  /** Somebody may have typed already (after an outage, say): loading anew would throw that away. */
  readonly wasOpen: boolean;

  constructor(
    ref: EntityRef,
    { lock, changed, stale, wasOpen }: Pick<LockAcquiredEvent, 'lock' | 'changed' | 'stale' | 'wasOpen'>,
  ) {
    super('lock-acquired', ref);
    this.lock = lock;
    this.changed = changed;
    this.stale = stale;
    this.wasOpen = wasOpen;
  }
}

/** `lock-held`: somebody else holds the lock, the form is blocked. */
export class LockHeldEvent extends LockEvent {
  readonly lock: LiveLock | null;

  constructor(ref: EntityRef, lock: LiveLock | null) {
    super('lock-held', ref);
    this.lock = lock;
  }
}

/** `lock-lost`: the lock was this page's and is no longer. Dispatched before the form is blocked. */
export class LockLostEvent extends LockEvent {
  /** The new holder's lock, null where nobody holds it. */
  readonly lock: LiveLock | null;
  readonly #values: TypedValues;

  constructor(ref: EntityRef, lock: LiveLock | null, values: TypedValues) {
    super('lock-lost', ref);
    this.lock = lock;
    this.#values = values;
  }

  /** What the form contained at that moment, by name; passwords, files and `[data-lock-private]` are left out. */
  getValues(): TypedValues {
    return this.#values;
  }
}

/** `lock-released`: this page let go. */
export class LockReleasedEvent extends LockEvent {
  constructor(ref: EntityRef) {
    super('lock-released', ref);
  }
}

/** `lock-unknown`: nobody can say who holds the lock (outage, no answer in time). The form is editable. */
export class LockUnknownEvent extends LockEvent {
  constructor(ref: EntityRef) {
    super('lock-unknown', ref);
  }
}

/** `lock-error`: the server refused for good, for example because the type is not lockable. The form is editable. */
export class LockErrorEvent extends LockEvent {
  /** Stable, for example `type-not-lockable`; `""` where the server gave none. */
  readonly code: string;
  readonly message: string;

  constructor(ref: EntityRef, { code, message }: { readonly code: string; readonly message: string }) {
    super('lock-error', ref);
    this.code = code;
    this.message = message;
  }
}

/** `lock-statechange`: after every change of `state`, when the form is already open or blocked accordingly. */
export class LockStateChangeEvent extends LockEvent {
  readonly state: LeaseState;
  readonly previous: LeaseState;

  constructor(ref: EntityRef, state: LeaseState, previous: LeaseState) {
    super('lock-statechange', ref);
    this.state = state;
    this.previous = previous;
  }
}

/** `lock-before-release`: `release()` was called. Cancel it to keep the lock, or save first with `waitUntil`. */
export class LockBeforeReleaseEvent extends ExtendableLockEvent {
  constructor(ref: EntityRef) {
    super('lock-before-release', ref, { cancelable: true });
  }
}

/**
 * `lock-reload`: the user asked for fresh data. Give its loading to `waitUntil`, and the form opens when that is done;
 * or cancel it and call the guard's `loaded()` later. Otherwise the page is reloaded.
 */
export class LockReloadEvent extends ExtendableLockEvent {
  constructor(ref: EntityRef) {
    super('lock-reload', ref, { cancelable: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    'lock-acquired': LockAcquiredEvent;
    'lock-held': LockHeldEvent;
    'lock-lost': LockLostEvent;
    'lock-released': LockReleasedEvent;
    'lock-unknown': LockUnknownEvent;
    'lock-error': LockErrorEvent;
    'lock-statechange': LockStateChangeEvent;
    'lock-before-release': LockBeforeReleaseEvent;
    'lock-reload': LockReloadEvent;
  }
}
