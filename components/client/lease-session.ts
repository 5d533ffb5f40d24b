import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer } from '../../core/lock-answers.ts';
import type { LeaseRequest } from '../../core/lock-service.ts';
import { withDeadline } from './answer-deadline.ts';
import type { ClientContext } from './client-context.ts';
import type { LockTransport } from './lock-transport.ts';
import { newSessionId } from './session-id.ts';

type Verb = (transport: LockTransport, request: LeaseRequest) => Promise<LeaseAnswer>;

/** One form's side of the conversation with the backend. */
export interface LeaseSession {
  /** Of the last acquisition; 0 = none, or a backend without fences. */
  fence: number;
  /** The server counts this session among the lock's, as far as is known. */
  isHolding: boolean;
  /** The call on its way, at most one. */
  asking: Promise<void> | null;
  /**
   * Makes a call; resolves when its answer was told. Rejects where there is none. An answer to a session that was ended
   * meanwhile is told to nobody; what it acquired is given back.
   */
  exchange(verb: Verb): Promise<void>;
  /**
   * Ends the session here, and on the server where a grace is named: then the request is sent when this returns.
   * Resolves when the server has answered, and never rejects.
   */
  end(graceMs?: number, keepalive?: boolean): Promise<void>;
}

/** `answered` hears every answer to the session that it was meant for. */
export function leaseSession(
  ref: EntityRef,
  context: ClientContext,
  answered: (answer: LeaseAnswer) => Promise<void> | undefined,
): LeaseSession {
  const { page } = context;
  /** One acquisition; "" = the next call makes a new one. */
  let current = '';

  const letGo = (transport: LockTransport, sessionId: string, graceMs: number, keepalive: boolean) =>
    // The lease ends by itself, and a page that is leaving can do no more; but a refusal is a fault to be seen.
    withDeadline(page, () => transport.release(ref, { sessionId, graceMs, keepalive })).catch(
      context.complain,
    );

  const session: LeaseSession = {
    fence: 0,
    isHolding: false,
    asking: null,
    exchange(verb) {
      const { transport } = context;
      const sessionId = (current ||= newSessionId());
      const request = { sessionId, fence: session.fence || undefined };
      return withDeadline(page, () => verb(transport, request)).then(
        async (answer) => {
          if (sessionId === current) {
            session.asking = null;
            await answered(answer);
            // Without sessions, to let go would end what the same user has claimed since.
          } else if (answer.outcome === 'acquired' && (transport.capabilities.sessions || !current)) {
            await letGo(transport, sessionId, 0, false);
          }
        },
        (error: unknown) => {
          if (sessionId !== current) return;
          session.asking = null;
          throw error;
        },
      );
    },
    async end(graceMs, keepalive = false) {
      const { asking, isHolding } = session;
      const sessionId = current;
      current = '';
      session.asking = null;
      session.isHolding = false;
      if (graceMs === undefined) return;
      if (isHolding || (keepalive && asking)) {
        await letGo(context.transport, sessionId, graceMs, keepalive);
      } else await asking;
    },
  };
  return session;
}
