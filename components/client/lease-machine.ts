import { refKey, type EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer } from '../../core/lock-answers.ts';
import type { ClientContext } from './client-context.ts';
import { DEFAULT_LEASE_OPTIONS } from './lease-options.ts';
import type { OwnedLease } from './owned-lease.ts';
import { leaseSession } from './lease-session.ts';
import type { LeaseState } from './lease-state.ts';
import { IDLE_VIEW, NOT_MINE, nextView, type LeaseView } from './lease-view.ts';
import { listenersByKey } from './listeners.ts';
import type { LockCause } from './lock-map.ts';
import { TransportError } from './lock-transport.ts';
import type { LockView } from './lock-view.ts';
import { claimDelayMs, retryDelayMs } from './retry-delays.ts';

/** Waking events come in bursts: an answer so fresh, in milliseconds, needs no other. */
const FRESH_MS = 1_000;
/** A server that says "at once" is not asked more often than this, in milliseconds. */
const LEAST_ASK_MS = 300;

/**
 * The state machine whose table is in `lease-state.ts`; `show` is the one mutator of what is seen. `LeaseSession`
 * talks with the backend, `LockMap` puts news in order. What is due is known by deadlines, not by counting ticks.
 */
export function leaseMachine(ref: EntityRef, context: ClientContext): OwnedLease {
  const { page, clock, locks, complain } = context;
  const key = refKey(ref);
  const listeners = listenersByKey<[LeaseView, LeaseView]>();
  let options = DEFAULT_LEASE_OPTIONS;
  let view = IDLE_VIEW;
  /** It was this page's since the last release: another holder means `lost`, not `held`. */
  let wasMine = false;
  /** The page is going away, or the client rests: no news until `wake()`. */
  let isAway = false;
  let isAnswering = false;
  let failures = 0;
  /** When to ask the server, when the lease is over, and when an answer is longer on its way than the form can wait. */
  let askAt = Infinity;
  let endAt = Infinity;
  let patienceAt = Infinity;
  /** Until then, the last answer needs no other. */
  let freshUntil = 0;
  /** The gaps when somebody else came, since when news must be complete; 0 = nobody did, -1 = they cannot be. */
  let gapsBefore = 0;

  const is = (...states: readonly LeaseState[]) => states.includes(view.state);
  /** Blocked by another holder, or by one who was there a moment ago. */
  const isWaiting = () => is('held', 'lost');

  /** Whatever is heard of the lock decides how to go on. */
  const isOpen = () => isWaiting() || is('unknown');

  /** Changes what is named, and the lock to what the map knows. Tells nobody where that changes nothing. */
  const show = (change: Partial<LeaseView> = {}) => {
    const previous = view;
    view = nextView(previous, change, locks.get(key));
    if (view !== previous) listeners.call(key, view, previous);
  };

  /** Renews what it holds, claims what it does not. Joins the call that is on its way. Never rejects. */
  const ask = (): Promise<void> => {
    const verb = session.isHolding ? 'renew' : 'claim';
    isAway = false;
    askAt = Infinity;
    patienceAt = clock.after(options.claimTimeoutMs);
    return (session.asking ??= session
      .exchange((transport, request) => transport[verb](ref, request))
      .catch((error: unknown) => {
        const refused = complain(error);
        patienceAt = Infinity;
        if (!refused) return unanswered(retryDelayMs(failures++, page.random()));
        endAt = Infinity;
        show({ state: 'error', reconnecting: false, error: refused });
      }));
  };

  const answered = (answer: LeaseAnswer) => {
    const { outcome, lock, renewAfterMs } = answer;
    // A take-over does not say so: whoever is waited for has had it since this page did.
    const changed = answer.changed ?? (session.fence && isWaiting() ? true : null);
    failures = 0;
    patienceAt = Infinity;
    freshUntil = clock.after(FRESH_MS);
    isAnswering = true;
    locks.holderOid = answer.me.holderOid;
    const isLastWord = !lock || locks.apply(lock);
    isAnswering = false;
    if (outcome === 'unknown') unanswered(renewAfterMs * (1 + page.random() / 4));
    else if (outcome === 'lost') {
      session.isHolding = false;
      holderMayHaveChanged();
      return ask();
    } else if (outcome === 'acquired' && (isLastWord || locks.get(key)?.mine)) {
      const isUnsure = gapsBefore !== 0 && (gapsBefore !== context.gaps || !context.isConnected);
      gapsBefore = 0;
      session.isHolding = wasMine = true;
      session.fence = lock?.fence || session.fence;
      endAt = clock.after(lock?.expiresInMs ?? Infinity);
      askAt = clock.after(Math.max(LEAST_ASK_MS, renewAfterMs));
      const stale = isUnsure || view.stale || changed === true;
      show({ ...NOT_MINE, state: 'mine', changed, stale, otherSessions: answer.otherSessions });
    } else blocked(answer.canTakeOver, changed);
    return undefined;
  };
  /** Nobody can say: open, unless a lease that is still running says otherwise. */
  const unanswered = (retryInMs: number) => {
    if (isWaiting() && locks.get(key)) return;
    if (is('mine') && !clock.isOver(endAt)) show({ reconnecting: true });
    else show({ state: 'unknown', reconnecting: false });
    askAt = clock.after(Math.max(LEAST_ASK_MS, retryInMs));
  };
  /** Somebody else has it, or had it a moment ago. */
  const blocked = (canTakeOver: boolean, changed: boolean | null) => {
    gapsBefore ||= context.gaps;
    holderMayHaveChanged();
    session.isHolding = false;
    askAt = endAt = Infinity;
    show({ ...NOT_MINE, state: wasMine ? 'lost' : 'held', canTakeOver, changed });
    claimIfFree();
  };
  /** With fences, the next answer says so itself. */
  const holderMayHaveChanged = () => {
    if (!context.transport.capabilities.fence) gapsBefore = -1;
  };

  const heard = (news: LockView | null, cause: LockCause) => {
    if (isAnswering || isAway) return;
    const { transport } = context;
    const isMine = is('mine');
    // Before the first answer nobody knows whose this is.
    const isForeign = news && !news.mine && locks.holderOid && (isMine || isOpen());
    if (isMine && cause === 'lapse') check();
    else if (isMine && !news && cause === 'news' && transport.capabilities.sessions) void released();
    else if (isForeign && !(isWaiting() && news.lock.holderOid === view.lock?.holderOid)) {
      blocked(false, view.changed);
      // Whether this user may take over from the new holder, only an answer can say.
      if (transport.takeOver) claimSoon();
    } else {
      show(news ? {} : { canTakeOver: false });
      // Without sessions, another window let go of the one lock that they share.
      if (isMine && !news && cause === 'news') session.isHolding = false;
      // A list may be wrong. And another window of the same user has it: so has this one, for the asking.
      if (news ? news.mine && isOpen() : isMine) void ask();
      else if (!news) claimIfFree();
    }
  };

  const claimIfFree = () => {
    if (isOpen() && !view.lock && !session.asking) claimSoon();
  };
  const claimSoon = () => {
    if (options.wait !== 'auto' || !page.isVisible()) return;
    askAt = clock.after(claimDelayMs(page.random(), clock.isOver(context.settledAt)));
  };

  const end: typeof session.end = (...how) => {
    askAt = endAt = patienceAt = Infinity;
    return session.end(...how);
  };
  const released = (graceMs?: number) => {
    const ended = end(graceMs);
    isAway = wasMine = false;
    holderMayHaveChanged();
    show({ ...NOT_MINE, state: 'released' });
    return ended;
  };

  const check = () => {
    if (isAway || is('idle', 'error', 'released')) return;
    const [isOutOfPatience, isOver, isDue] = [patienceAt, endAt, askAt].map(clock.isOver);
    if (isOutOfPatience) {
      patienceAt = Infinity;
      if (is('claiming') || (isWaiting() && !view.lock)) show({ state: 'unknown' });
    }
    if (is('mine') && isOver) {
      endAt = Infinity;
      // Whoever comes back from a sleep waits for the answer; whoever typed through an outage types on.
      const isOutage = view.reconnecting && !context.slept;
      show({ state: isOutage ? 'unknown' : 'claiming', reconnecting: false });
      if (isOutage) return;
      holderMayHaveChanged();
      void ask();
    } else if (isDue) void ask();
  };

  const session = leaseSession(ref, context, answered);
  const unsubscribe = locks.subscribe(key, heard);
  const claim = () => {
    if (is('idle', 'error', 'released')) show({ state: 'claiming', error: null });
    context.update();
    return ask();
  };
  const release = async ({ graceMs = 0 } = {}) => (is('idle') ? undefined : released(graceMs));
  return {
    ref,
    openings: 0,
    get fence() {
      return session.fence;
    },
    get view() {
      return view;
    },
    subscribe: (listener) => listeners.add(key, listener),
    claim,
    release,
    async takeOver() {
      const { lock } = view;
      if (!lock || is('mine')) return claim();
      while (session.asking) await session.asking;
      const call = session.exchange(async (transport, { sessionId }) => {
        if (transport.takeOver) return transport.takeOver(ref, { sessionId, fromHolderOid: lock.holderOid });
        throw new TransportError('No take-over', { status: 405 });
      });
      // Whoever called hears of a failure; those who only wait for their turn need not.
      session.asking = call.catch(() => {});
      return call;
    },
    loaded() {
      gapsBefore &&= context.gaps;
      show({ stale: false, foreignChange: null });
    },
    adopt(named) {
      options = { ...options, ...named };
      session.fence ||= named.fence || 0;
    },
    check,
    wake() {
      if (isAway) show({ state: 'claiming', reconnecting: false });
      if (isAway || (is('mine', 'unknown', 'error') && clock.isOver(freshUntil))) void ask();
      else if (askAt === Infinity) claimIfFree();
    },
    leave() {
      const { sessions, grace } = context.transport.capabilities;
      if (!options.releaseOnLeave || !sessions || !(session.isHolding || session.asking)) return;
      isAway = true;
      void end(grace ? options.graceMs : 0, true);
    },
    resync() {
      if (isAway) return;
      if (is('mine', 'unknown')) void ask();
      else claimIfFree();
    },
    dataChanged(foreignChange) {
      show({ foreignChange, stale: view.stale || !is('mine') });
    },
    rest(graceMs) {
      isAway = !is('idle', 'released');
      void end(graceMs);
      if (graceMs === undefined) return;
      session.fence = gapsBefore = 0;
      wasMine = false;
      if (isAway) show({ ...IDLE_VIEW, state: 'claiming' });
    },
    close() {
      unsubscribe();
      void release();
    },
  };
}
