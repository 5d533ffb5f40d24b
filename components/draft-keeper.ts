import type { EntityRef } from '../core/index.ts';
import { draftStore } from './draft-store.ts';
import { LockEvent } from './lock-events.ts';
import type { LockGuard } from './lock-guard.ts';
import { fieldValues, isSame, putBackValues, type FieldValues } from './put-back-values.ts';

export { forgetDrafts } from './draft-store.ts';
export type { FieldValues } from './put-back-values.ts';

/** Whose drafts are kept, where, and for how long. */
export interface DraftOptions {
  /** Who is signed in, by an id that no one else on this origin has. Drafts are offered to nobody else. */
  readonly user: string;
  /** How long a draft is offered, milliseconds; a day unless said otherwise. */
  readonly maxAgeMs?: number;
  /** Where drafts are kept; `sessionStorage` unless said otherwise: this tab's, until it is closed. */
  readonly storage?: Storage;
}

/** Keeps the drafts of one guard's form. */
export interface DraftKeeper {
  /** What was typed has been saved, or is not wanted: there is no draft of the record that is shown any more. */
  clear(): void;
  /** Keeps what was typed until now, and nothing after that. Idempotent. */
  stop(): void;
}

/**
 * `lock-draft`: the form is open, and something was typed into it before that it does not show now. Nothing is put back
 * unless somebody wants it.
 */
export interface LockDraftEvent extends LockEvent {
  /** What differs from what the form shows, by name. */
  readonly values: FieldValues;
  /** When it was typed, milliseconds by this page's clock. */
  readonly typedAtMs: number;
  /**
   * Puts the values into their fields, with the events that frameworks listen to. It goes on being a draft until it is
   * saved. False: the form is blocked, or another record's, and nothing was done; or some field is not there any more.
   */
  restore(): boolean;
  /** Forgets it. */
  discard(): void;
}

/** A form that was submitted is offered its draft again only for so long: as long as a lease, in which it may return. */
const AFTER_SUBMIT_MS = 300_000;
/** Typing is kept when it pauses so long, and at once when the form is left. */
const PAUSE_MS = 300;
const DAY_MS = 86_400_000;

/**
 * Keeps what is typed into a guard's form, until it is saved, and offers it by `lock-draft` when the form opens without
 * it: after a lost lock, a reload, a crash. Only fields that somebody has changed are kept; passwords, files and
 * `[data-lock-private]` never. A draft ends by `clear()`, by letting go of the lock, and by age. Throws `TypeError`
 * where no user is named; what the storage refuses is not kept.
 */
export function keepDrafts(guard: LockGuard, options: DraftOptions): DraftKeeper {
  const { user, maxAgeMs = DAY_MS } = options;
  if (typeof user !== 'string' || user === '') {
    throw new TypeError(
      `keepDrafts: user: expected the id of who is signed in, got ${JSON.stringify(user)}.`,
    );
  }
  const store = draftStore(user, options.storage);
  const stopped = new AbortController();
  /** Whose form this is: what is pending belongs to it. */
  let ref: EntityRef | null = null;
  /** What the form showed before it was edited; null = nobody has begun. */
  let shown: FieldValues | null = null;
  /** What was typed before that, and is not put back: kept beside what is typed now. */
  let waiting: FieldValues = {};
  let isEdited = false;
  let isOffered = false;
  let timer = 0;

  const read = (): FieldValues => fieldValues(guard.body ?? guard);
  const isOpen = () => !guard.blocked && isRecord(guard.ref, ref);

  const write = (lifeMs: number) => {
    if (ref === null || shown === null) return;
    const before = shown;
    const typed = Object.entries(read()).filter(([name, list]) => !isSame(list, before[name]));
    const values = { ...waiting, ...Object.fromEntries(typed) };
    const now = Date.now();
    if (Object.keys(values).length === 0) store.remove(ref);
    else store.write(ref, { values, typedAtMs: now, expiresAtMs: now + lifeMs });
  };
  /** Not while it is blocked: what then changes in the form is not typed. */
  const keep = () => {
    clearTimeout(timer);
    if (isEdited) write(maxAgeMs);
    isEdited = false;
  };
  const forget = () => {
    clearTimeout(timer);
    shown = null;
    waiting = {};
    isEdited = isOffered = false;
  };
  const clear = () => {
    forget();
    if (ref !== null) store.remove(ref);
  };

  const begin = () => {
    if (isOpen()) shown ??= read();
  };
  const edited = () => {
    if (!isOpen() || shown === null) return;
    isEdited = true;
    clearTimeout(timer);
    timer = window.setTimeout(keep, PAUSE_MS);
  };

  const follow = () => {
    if (!isRecord(guard.ref, ref)) {
      forget();
      ({ ref } = guard);
    } else keep();
    isOffered &&= !guard.blocked;
    if (ref === null || guard.blocked || isOffered) return;
    const [draft, now] = [store.read(ref), read()];
    if (draft === null) return;
    const differing = Object.entries(draft.values).filter(([name, list]) => !isSame(list, now[name]));
    // What was typed is in the form still.
    if (differing.length === 0 && shown !== null) return;
    shown = null;
    waiting = draft.values;
    isOffered = differing.length > 0;
    if (isOffered) offer(ref, Object.fromEntries(differing), draft.typedAtMs);
  };

  const offer = (of: EntityRef, values: FieldValues, typedAtMs: number) => {
    const restore = () => {
      if (!isOpen() || !isRecord(of, ref)) return false;
      begin();
      const isWhole = putBackValues(guard.body ?? guard, values);
      if (isWhole) waiting = {};
      isEdited = true;
      keep();
      // With claim="edit", this is one.
      if (/idle|released/.test(guard.state) && guard.claim === 'edit') guard.claimNow();
      return isWhole;
    };
    const discard = () => {
      if (!isRecord(of, ref)) return;
      waiting = {};
      if (shown === null) store.remove(of);
      else write(maxAgeMs);
    };
    guard.dispatchEvent(new LockEvent('lock-draft', { ref: of, values, typedAtMs, restore, discard }));
  };

  const submitted = (event: Event) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof HTMLFormElement) || target.method === 'dialog') return;
    if (!guard.contains(target) && !target.contains(guard)) return;
    // The page is about to be left for the server's answer.
    isEdited = false;
    write(AFTER_SUBMIT_MS);
  };

  const on = (target: EventTarget, types: string, listener: (event: Event) => void, capture = false) => {
    for (const type of types.split(' ')) {
      target.addEventListener(type, listener, { capture, signal: stopped.signal });
    }
  };
  on(guard, 'pointerdown keydown beforeinput paste drop', begin, true);
  on(guard, 'input change click keyup', edited, true);
  // Also when it is lost: before the application hears of that and may empty the form.
  on(guard, 'focusout lock-lost', keep, true);
  on(guard, 'lock-blocking', (event) => event.target === guard && follow());
  on(guard, 'lock-released', (event) => event.target === guard && clear());
  on(window, 'pagehide', keep);
  on(document, 'visibilitychange', keep);
  on(window, 'submit', submitted);
  // Whoever listens may do so after this.
  queueMicrotask(() => {
    if (!stopped.signal.aborted && !isRecord(guard.ref, ref)) follow();
  });

  return {
    clear,
    stop() {
      keep();
      stopped.abort();
    },
  };
}

/** Also for a guard that is not upgraded yet and names nothing. */
function isRecord(one: EntityRef | null | undefined, other: EntityRef | null | undefined): boolean {
  return one?.entityType === other?.entityType && one?.entityUid === other?.entityUid;
}

declare global {
  interface HTMLElementEventMap {
    'lock-draft': LockDraftEvent;
  }
}
