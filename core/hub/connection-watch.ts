import type { HubTiming } from './hub-timing.ts';
import type { HubWire } from './hub-wire.ts';

/**
 * What a look at a connection's timers finds: its identity has run out; it takes nothing of what is sent; it says nothing;
 * a ping is due.
 */
export type WatchFinding = 'expired' | 'stalled' | 'silent' | 'ping' | null;

/** The timers of one connection, as moments of the heartbeat: an idle connection has none of its own. */
export class ConnectionWatch {
  readonly #timing: HubTiming;
  readonly #wire: HubWire;
  #heardAtMs: number;
  #pingedAtMs: number;
  #tookAtMs: number;
  #takenBytes = 0;
  #expiresAtMs = Infinity;

  constructor(timing: HubTiming, wire: HubWire, nowMs: number) {
    this.#timing = timing;
    this.#wire = wire;
    this.#heardAtMs = this.#pingedAtMs = this.#tookAtMs = nowMs;
  }

  /** The client has said something. */
  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** Milliseconds since 1970. */
  expireAt(expiresAtMs: number): void {
    this.#expiresAtMs = expiresAtMs;
  }

  isHandshakeLate(nowMs: number): boolean {
    return nowMs - this.#heardAtMs > this.#timing.handshakeTimeoutMs;
  }

  /** `wallMs`: milliseconds since 1970. */
  look(nowMs: number, wallMs: number): WatchFinding {
    const { sendTimeoutMs, clientTimeoutMs, pingEveryMs } = this.#timing;
    if (wallMs >= this.#expiresAtMs) return 'expired';
    const { bufferedBytes, takenBytes, keepsAlive } = this.#wire;
    if (bufferedBytes === 0 || takenBytes !== this.#takenBytes) this.#tookAtMs = nowMs;
    this.#takenBytes = takenBytes;
    if (nowMs - this.#tookAtMs > sendTimeoutMs) return 'stalled';
    if (keepsAlive) return null;
    if (nowMs - this.#heardAtMs > clientTimeoutMs) return 'silent';
    if (nowMs - this.#pingedAtMs < pingEveryMs) return null;
    this.#pingedAtMs = nowMs;
    // What is on its way already says that the server is there.
    return bufferedBytes === 0 ? 'ping' : null;
  }
}
