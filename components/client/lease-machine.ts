import type { DataChange } from '../../core/entity-change.ts';
import { refKey, type EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer } from '../../core/lock-answers.ts';
import type { Lease } from './lease.ts';
import type { LeaseContext } from './lease-context.ts';
import { DEFAULT_LEASE_OPTIONS, type LeaseOptions } from './lease-options.ts';
import { LeaseDisplay } from './lease-display.ts';
import { readNews } from './lease-news.ts';
import { LeaseSession, type TellServer } from './lease-session.ts';
import { IDLE_VIEW, NOT_MINE, type LeaseView } from './lease-view.ts';
import type { LockCause } from './lock-map.ts';
import { TransportError } from './lock-transport.ts';
import type { LockView } from './lock-view.ts';
import { MissedNews } from './missed-news.ts';
import { RenewalSchedule } from './renewal-schedule.ts';
import { retryDelayMs } from './retry-delays.ts';

/**
 * The state machine whose table is in `lease-state.ts`. `LeaseDisplay` has the one mutator of what is seen,
 * `LeaseSession` talks with the backend, `LockMap` puts news in order, `readNews` says what they mean, and
 * `RenewalSchedule` knows the time. The methods that `Lease` does not have are for the client that owns it.
 */
export class LeaseMachine implements Lease {
  readonly ref: EntityRef;
  readonly subscribe: Lease['subscribe'];
  readonly #context: LeaseContext;
  readonly #display: LeaseDisplay;
  readonly #session: LeaseSession;
  readonly #schedule: RenewalSchedule;
  readonly #missed: MissedNews;
  readonly #unsubscribe: () => void;
  #options = DEFAULT_LEASE_OPTIONS;
  /** It was this page's since the last release: another holder means `lost`, not `held`. */
  #wasMine = false;
  /** The page is going away, or the client rests: no news until `wake()`. */
  #isAway = false;
  #isAnswering = false;
  #failures = 0;

  constructor(ref: EntityRef, context: LeaseContext) {
    this.ref = ref;
    const key = refKey(ref);
    this.#context = context;
    this.#display = new LeaseDisplay(context.locks, key);
    this.subscribe = (listener) => this.#display.subscribe(listener);
    this.#missed = new MissedNews(context, this.#display);
    this.#session = new LeaseSession(ref, context, (answer) => this.#answered(answer));
    this.#schedule = new RenewalSchedule(context.page, () => this.check());
    this.#unsubscribe = context.locks.subscribe(key, (view, cause) => this.#heard(view, cause));
  }

  get view(): LeaseView {
    return this.#display.view;
  }

  claim(): Promise<void> {
    if (this.#display.is('idle', 'error', 'released')) this.#display.show({ state: 'claiming', error: null });
    return this.#ask();
  }

  async release({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    if (!this.#display.is('idle')) await this.#released()(graceMs);
  }

  async takeOver(): Promise<void> {
    const { lock } = this.#display.view;
    if (lock === null || this.#display.is('mine')) await this.claim();
    else await this.#session.takeOver(lock.holderOid);
  }

  loaded(): void {
    this.#missed.settle();
    this.#display.show({ stale: false, foreignChange: null });
  }

  /** Changes the options that are named. */
  adopt(options: LeaseOptions): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Does what the clocks say is due. Cheap, idempotent. */
  check(): void {
    if (this.#isAway || this.#display.is('idle', 'error', 'released')) return;
    const slept = this.#schedule.lookAgain();
    if (slept) this.#missed.slept();
    if (this.#schedule.isOutOfPatience) {
      this.#schedule.endPatience();
      if (this.#display.isBlockedByNobody) this.#display.show({ state: 'unknown' });
    }
    if (this.#display.is('mine') && this.#schedule.isOver) {
      this.#schedule.leaseEndsIn(Infinity);
      // Whoever comes back from a sleep waits for the answer; whoever typed through an outage types on.
      const isOutage = this.#display.view.reconnecting && !slept;
      this.#display.show({ state: isOutage ? 'unknown' : 'claiming', reconnecting: false });
      if (!isOutage) void this.#ask();
    } else if (this.#schedule.isDue) void this.#ask();
  }

  /** The page is visible, online or back again. */
  wake(): void {
    const wasAway = this.#isAway;
    if (wasAway) this.#display.show({ state: 'claiming', reconnecting: false });
    else this.check();
    if (wasAway || (this.#display.is('mine', 'unknown', 'error') && !this.#schedule.isFresh))
      void this.#ask();
    else if (!this.#schedule.isPlanned) this.#claimIfFree();
  }

  /** The page is going away. The request is on its way when this returns. */
  leave(): void {
    const { sessions, grace } = this.#context.transport.capabilities;
    const { releaseOnLeave, graceMs } = this.#options;
    if (!releaseOnLeave || !sessions || !(this.#session.isHolding || this.#session.asking)) return;
    this.#isAway = true;
    void this.#end()(grace ? graceMs : 0, true);
  }

  /** News may have been missed. One's own lock is renewed at once; forms that wait hear from the list, and later. */
  resync(): void {
    if (this.#isAway) return;
    if (this.#display.is('mine', 'unknown')) void this.#ask();
    else this.#claimIfFree();
  }

  /** The hub's connection came or went. */
  hubChanged(isConnected: boolean): void {
    this.#missed.hubChanged(isConnected);
  }

  /** Somebody else changed the entity's data. */
  dataChanged(foreignChange: DataChange): void {
    this.#display.show({ foreignChange, stale: this.#display.view.stale || !this.#display.is('mine') });
  }

  /** No timers and no news until `wake()`, which claims anew what was claimed before. Answers how to let go of it. */
  rest(): TellServer {
    this.#isAway = !this.#display.is('idle', 'released');
    return this.#end();
  }

  /** Another backend from now on, with other fences, holders and data. */
  forget(): void {
    this.#session.forgetFence();
    this.#wasMine = false;
    if (this.#isAway) this.#display.show({ ...IDLE_VIEW, state: 'claiming' });
  }

  /** Ends every timer and hears nothing more. Idempotent. */
  stop(): void {
    this.#unsubscribe();
    this.#end();
  }

  #ask(): Promise<void> {
    this.#isAway = false;
    this.#schedule.asking(this.#options.claimTimeoutMs);
    return this.#session.ask((error) => this.#failed(error));
  }

  #answered({ outcome, lock, changed, otherSessions, renewAfterMs, canTakeOver, me }: LeaseAnswer) {
    const { locks, page } = this.#context;
    this.#failures = 0;
    this.#schedule.answered();
    this.#isAnswering = true;
    locks.holderOid = me.holderOid;
    const isLastWord = lock === null || locks.apply(lock);
    this.#isAnswering = false;
    if (outcome === 'unknown') this.#unanswered(renewAfterMs * (1 + page.random() / 4));
    else if (outcome === 'lost') {
      this.#session.lost();
      this.#missed.holderMayHaveChanged();
      return this.#ask();
    } else if (outcome === 'acquired' && (isLastWord || this.#display.known?.mine === true)) {
      const stale = this.#missed.settle() || this.#display.view.stale || changed === true;
      this.#wasMine = true;
      this.#session.acquired(lock?.fence ?? 0);
      this.#schedule.leaseEndsIn(lock?.expiresInMs ?? Infinity);
      this.#schedule.askIn(renewAfterMs);
      this.#display.show({ ...NOT_MINE, state: 'mine', changed, stale, otherSessions });
    } else this.#blocked(canTakeOver, changed);
    return undefined;
  }

  #failed(error: unknown): void {
    const { page, complain } = this.#context;
    const failure =
      error instanceof TransportError ? error : new TransportError(String(error), { status: 400 });
    const { message, code, isTransient } = failure;
    this.#schedule.endPatience();
    if (isTransient) return this.#unanswered(retryDelayMs(this.#failures++, page.random()));
    complain(message);
    this.#schedule.stop();
    this.#display.show({ state: 'error', reconnecting: false, error: { code, message } });
  }

  /** Nobody can say: open, unless a lease that is still running says otherwise. */
  #unanswered(retryInMs: number): void {
    if (this.#display.is('mine') && !this.#schedule.isOver) this.#display.show({ reconnecting: true });
    else if (this.#display.isWaiting && this.#display.known !== null) return;
    else this.#display.show({ state: 'unknown', reconnecting: false });
    this.#schedule.askIn(retryInMs);
  }

  /** Somebody else has it, or had it a moment ago. */
  #blocked(canTakeOver: boolean, changed: boolean | null): void {
    this.#missed.waitBegins();
    this.#session.lost();
    this.#schedule.waitForNews();
    this.#display.show({ ...NOT_MINE, state: this.#wasMine ? 'lost' : 'held', canTakeOver, changed });
    this.#claimIfFree();
  }

  #heard(heard: LockView | null, cause: LockCause): void {
    if (this.#isAnswering || this.#isAway) return;
    const news = readNews(this.#display, this.#context, heard, cause);
    if (news === 'ended') this.#released();
    else if (news === 'lapsed') this.check();
    else if (news === 'blocked') {
      this.#blocked(false, this.#display.view.changed);
      // Whether this user may take over from the new holder, only an answer can say.
      if (this.#context.transport.takeOver !== undefined) this.#claimSoon();
    } else {
      this.#display.show(news === 'free' ? { canTakeOver: false } : {});
      if (news === 'claim') this.#session.lost();
      if (news === 'claim' || news === 'ask') void this.#ask();
      else if (news === 'wait') this.#schedule.waitForNews();
      else this.#claimIfFree();
    }
  }

  #claimIfFree(): void {
    const isFree = this.#display.isOpenToNews && this.#display.view.lock === null;
    if (isFree && this.#session.asking === null) this.#claimSoon();
  }

  #claimSoon(): void {
    const { page, settling } = this.#context;
    if (this.#options.wait === 'auto' && page.isVisible()) this.#schedule.claimSoon(settling() > 0);
  }

  #end(): TellServer {
    this.#schedule.stop();
    return this.#session.end();
  }

  #released(): TellServer {
    const tell = this.#end();
    this.#isAway = this.#wasMine = false;
    this.#missed.holderMayHaveChanged();
    this.#display.show({ ...NOT_MINE, state: 'released' });
    return tell;
  }
}
