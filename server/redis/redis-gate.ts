import { StoreUnavailable, systemTimers, type Timers } from '../../core/index.ts';
import { redisFailure, reasonOf, isMisled, isSetupFault, isSilence } from './redis-failure.ts';
import { DEADLINE_MS, PATIENCE_MS, PAUSE_MS } from './redis-settings.ts';

/** What the gate needs of a connection. */
export interface GatedRedis {
  readonly status: string;
  on(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  off(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  /** Seconds and microseconds. */
  time(): Promise<readonly (string | number)[]>;
}

/** One moment of Redis' clock, in milliseconds, as far as this node knows it. */
export interface RedisMoment {
  readonly nowMs: number;
  /** Scripts refuse to act after this. */
  readonly deadlineMs: number;
}

export interface RedisGateOptions {
  readonly redis: GatedRedis;
  readonly timers?: Timers;
  /** Milliseconds that only ever go forward; where from does not matter. */
  readonly now?: () => number;
  /** Finds better words for what the connection says of its trouble. */
  readonly explain?: (error: Error) => Error;
}

/** A timer that is later than this, in milliseconds, tells of this process' own stall and not of Redis. */
const STALL_MS = 250;

/**
 * Stands round every call to Redis, so that nobody waits and nothing happens late. Refuses at once unless the connection
 * is ready, and for a second after a silence; gives up after {@link PATIENCE_MS}; every failure is a
 * {@link StoreUnavailable} with Redis' own words. Knows Redis' clock, so that scripts can refuse to act after
 * {@link DEADLINE_MS}: Redis carries out what lies in its socket buffer even when the caller is long gone.
 */
export class RedisGate {
  readonly #redis: GatedRedis;
  readonly #timers: Timers;
  readonly #now: () => number;
  readonly #explain: (error: Error) => Error;
  /** Redis' clock minus `now()`, never more than it really is; null until it was read on this connection. */
  #offsetMs: number | null = null;
  #clockRead: Promise<void> | null = null;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #lastError: Error | null = null;
  /** The last call was led nowhere by a cluster, and none has succeeded since. */
  #wasMisled = false;

  constructor({
    redis,
    timers = systemTimers,
    now = () => performance.now(),
    explain = (error) => error,
  }: RedisGateOptions) {
    this.#redis = redis;
    this.#explain = explain;
    this.#timers = timers;
    this.#now = now;
    redis.on('error', this.#failed);
    redis.on('ready', this.#connected);
  }

  /** Lets go of the connection, where somebody else keeps it. */
  stop(): void {
    this.#redis.off('error', this.#failed);
    this.#redis.off('ready', this.#connected);
  }

  /** Redis' time in microseconds; this node's own where Redis was never heard. */
  nowMicros(): number {
    return Math.floor((this.#offsetMs === null ? Date.now() : this.#now() + this.#offsetMs) * 1_000);
  }

  /** Redis' clock as a reply just told it, in microseconds. */
  heard(at: number): void {
    this.#setClock(at / 1_000);
  }

  /** Makes one call, of as many commands as it takes. Rejects with {@link StoreUnavailable} alone. */
  run<Reply>(send: (moment: RedisMoment) => Promise<Reply>): Promise<Reply> {
    return this.#guard((startedMs) => this.#send(send, startedMs));
  }

  /** Makes one call that ends in a script. `late` corrects the clock, and is tried once more where time is left. */
  runScript<Reply extends { readonly status: string; readonly at: number }>(
    send: (moment: RedisMoment) => Promise<Reply>,
  ): Promise<Reply> {
    return this.#guard(async (startedMs) => {
      let reply = await this.#heard(this.#send(send, startedMs));
      if (reply.status === 'late') reply = await this.#heard(this.#send(send, startedMs));
      if (reply.status === 'late') throw new StoreUnavailable('Redis answered too late to act');
      return reply;
    });
  }

  async #guard<Reply>(work: (startedMs: number) => Promise<Reply>): Promise<Reply> {
    this.#refuseUnlessReady();
    const startedMs = this.#now();
    let timer: unknown;
    const silence = new Promise<never>((_, reject) => {
      timer = this.#timers.set(() => {
        this.#silent(startedMs);
        reject(new StoreUnavailable(`Redis did not answer within ${PATIENCE_MS} ms`));
      }, PATIENCE_MS);
    });
    try {
      const reply = await Promise.race([work(startedMs), silence]);
      this.#wasMisled = false;
      return reply;
    } catch (error) {
      if (error instanceof Error && this.#isInVain(error.message)) this.#silent(startedMs);
      throw redisFailure(error, this.#lastError);
    } finally {
      this.#timers.clear(timer);
    }
  }

  /** Sends at once, in the caller's own turn, where Redis' clock is known: calls reach Redis in the order they were made. */
  #send<Reply>(send: (moment: RedisMoment) => Promise<Reply>, startedMs: number): Promise<Reply> {
    const offsetMs = this.#offsetMs;
    if (offsetMs === null) return this.#readClock().then(() => this.#send(send, startedMs));
    // By now the caller may be about to give up: a busy process runs its timers late.
    if (this.#now() - startedMs >= DEADLINE_MS) {
      throw new StoreUnavailable('There was no time left to ask Redis');
    }
    const nowMs = Math.floor(this.#now() + offsetMs);
    return send({ nowMs, deadlineMs: Math.floor(startedMs + offsetMs + DEADLINE_MS) });
  }

  #refuseUnlessReady(): void {
    const { status } = this.#redis;
    if (status !== 'ready') {
      const reason =
        this.#lastError === null ? `The connection to Redis is "${status}"` : reasonOf(this.#lastError);
      throw new StoreUnavailable(reason, { cause: this.#lastError, setupFault: isSetupFault(reason) });
    }
    if (this.#now() < this.#pausedUntilMs) throw new StoreUnavailable('Redis did not answer a moment ago');
  }

  readonly #failed = (error: Error): void => {
    this.#lastError = this.#explain(error);
  };

  readonly #connected = (): void => {
    this.#lastError = null;
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
    // After a failover this is another machine, with another clock.
    this.#offsetMs = null;
    this.#clockRead = null;
    this.#readClock().catch(() => {}); // the first call asks again, and reports
  };

  /** Asking again a moment later would be waiting in vain. Of a slot that is under way other entities are answered. */
  #isInVain(message: string): boolean {
    if (!isMisled(message)) return isSilence(message);
    const isAgain = this.#wasMisled;
    this.#wasMisled = true;
    return isAgain;
  }

  /** Nobody asks for a while, unless it was this process that was silent: then the answer may be there, unread. */
  #silent(startedMs: number): void {
    const nowMs = this.#now();
    if (nowMs - startedMs <= PATIENCE_MS + STALL_MS) this.#pausedUntilMs = nowMs + PAUSE_MS;
  }

  async #heard<Reply extends { readonly at: number }>(reply: Promise<Reply>): Promise<Reply> {
    const heard = await reply;
    this.heard(heard.at);
    return heard;
  }

  #readClock(): Promise<void> {
    this.#clockRead ??= this.#redis
      .time()
      .then(([seconds, micros]) => this.#setClock(Number(seconds) * 1_000 + Number(micros) / 1_000))
      .finally(() => {
        this.#clockRead = null;
      });
    return this.#clockRead;
  }

  /**
   * Redis' clock showed `redisMs` at the latest now: the offset is a lower bound, off by the reply's way back. So a
   * deadline may come too early (and is then tried again), but never too late.
   */
  #setClock(redisMs: number): void {
    this.#offsetMs = redisMs - this.#now();
  }
}
