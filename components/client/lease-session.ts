import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer } from '../../core/lock-answers.ts';
import type { LeaseRequest } from '../../core/lock-service.ts';
import { withDeadline } from './answer-deadline.ts';
import type { LeaseContext } from './lease-context.ts';
import { TransportError, type LockTransport } from './lock-transport.ts';
import { newSessionId } from './session-id.ts';

type Verb = (transport: LockTransport, request: LeaseRequest, signal: AbortSignal) => Promise<LeaseAnswer>;

/** Tells the server that a session has ended; resolves when it has answered, and never rejects. */
export type TellServer = (graceMs: number, keepalive?: boolean) => Promise<void>;

/**
 * One form's side of the conversation with the backend: its session, its fence, and at most one call on its way.
 * An answer to a session that was ended meanwhile is not told to anybody; what it acquired is given back.
 */
export class LeaseSession {
  readonly #ref: EntityRef;
  readonly #context: LeaseContext;
  readonly #answered: (answer: LeaseAnswer) => Promise<void> | undefined;
  /** One acquisition; "" = the next call makes a new one. */
  #id = '';
  #fence: number | undefined;
  #isHolding = false;
  #asking: Promise<void> | null = null;
  #turn = 0;

  constructor(
    ref: EntityRef,
    context: LeaseContext,
    answered: (answer: LeaseAnswer) => Promise<void> | undefined,
  ) {
    this.#ref = ref;
    this.#context = context;
    this.#answered = answered;
  }

  /** Whether the server counts this session among the lock's, as far as is known. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** The call on its way. */
  get asking(): Promise<void> | null {
    return this.#asking;
  }

  /** The server said `acquired`. 0 = its store has no fences. */
  acquired(fence: number): void {
    this.#isHolding = true;
    if (fence !== 0) this.#fence = fence;
  }

  /** The server no longer counts this session: from now on it claims instead of renewing. */
  lost(): void {
    this.#isHolding = false;
  }

  /** Renews what it holds, claims what it does not. Joins the call that is on its way. `failed` hears why not. */
  ask(failed: (error: unknown) => void): Promise<void> {
    const verb = this.#isHolding ? 'renew' : 'claim';
    return (
      this.#asking ??
      this.#exchange((transport, request, signal) => transport[verb](this.#ref, request, signal), failed)
    );
  }

  /** Takes the lock over from whom the user saw. Rejects with `TransportError`. */
  async takeOver(fromHolderOid: string): Promise<void> {
    await this.#asking;
    const refusals: Error[] = [];
    await this.#exchange(
      async (transport, request, signal) => {
        if (transport.takeOver !== undefined) {
          return transport.takeOver(this.#ref, { sessionId: request.sessionId, fromHolderOid }, signal);
        }
        throw new TransportError('This backend knows no take-over.', { status: 405 });
      },
      (error) => refusals.push(error instanceof Error ? error : new TransportError(String(error))),
    );
    for (const refusal of refusals) throw refusal;
  }

  /** Ends the session here without telling the server; answers how to tell it. */
  end(): TellServer {
    const { transport } = this.#context;
    const asking = this.#asking;
    const isHolding = this.#isHolding;
    const id = this.#id;
    this.#turn += 1;
    this.#asking = null;
    this.#isHolding = false;
    this.#id = '';
    return async (graceMs, keepalive = false) => {
      if (isHolding || (keepalive && asking !== null))
        await this.#giveBack(transport, id, graceMs, keepalive);
      else await asking;
    };
  }

  /** Another backend: its fences are others. */
  forgetFence(): void {
    this.#fence = undefined;
  }

  #exchange(verb: Verb, failed: (error: unknown) => void): Promise<void> {
    const { page, transport } = this.#context;
    const id = (this.#id ||= newSessionId());
    const request = { sessionId: id, ...(this.#fence === undefined ? {} : { fence: this.#fence }) };
    const turn = this.#turn;
    const asking = withDeadline(page, (signal) => verb(transport, request, signal)).then(
      (answer) => {
        if (this.#asking === asking) this.#asking = null;
        if (turn === this.#turn) return this.#answered(answer);
        // Without sessions, this would end what the same user has claimed since.
        const isOurs = transport.capabilities.sessions || this.#id === '';
        return answer.outcome === 'acquired' && isOurs ? this.#giveBack(transport, id, 0) : undefined;
      },
      (error: unknown) => {
        if (this.#asking === asking) this.#asking = null;
        if (turn === this.#turn) failed(error);
      },
    );
    this.#asking = asking;
    return asking;
  }

  async #giveBack(
    transport: LockTransport,
    sessionId: string,
    graceMs: number,
    keepalive = false,
  ): Promise<void> {
    const { page, complain } = this.#context;
    try {
      await withDeadline(page, () => transport.release(this.#ref, { sessionId, graceMs, keepalive }));
    } catch (error) {
      // The lease ends by itself, and a page that is leaving can do no more; but a refusal is a fault to be seen.
      if (error instanceof TransportError && !error.isTransient) complain(error.message);
    }
  }
}
