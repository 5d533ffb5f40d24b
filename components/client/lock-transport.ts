import type { EntityChange } from '../../core/entity-change.ts';
import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../../core/lock-answers.ts';
import type { LeaseRequest } from '../../core/lock-service.ts';

/** What a backend can do. Where something is missing, the client makes up for it or does without. */
export interface TransportCapabilities {
  /** Locks know single open forms. Without: no release on leave, and one's own `Released` claims again. */
  readonly sessions: boolean;
  /** Locks have fencing tokens. Without: every form that waited reloads before it opens. */
  readonly fence: boolean;
  /** A lock can be taken over from its holder. */
  readonly takeOver: boolean;
  /** A release may leave time for a reload to come back. */
  readonly grace: boolean;
  /** Answers carry `expiresInMs`. Without: the offset comes from the `Date` header. */
  readonly remainingMs: boolean;
}

/** What a subscription reports. Nothing is reported from within `subscribe()` itself. */
export interface TransportListener {
  /** A change that the hub told of. */
  changed(change: EntityChange): void;
  /**
   * Changes may have been missed (first connection, reconnected, or the hub says `Resync`): fetch again. With types:
   * only of these, because they were not subscribed to before.
   */
  resync(entityTypes?: readonly string[]): void;
  /** The hub's connection came or went. */
  connected(isConnected: boolean): void;
}

/** What the client keeps of a subscription. */
export interface TransportSubscription {
  /** The entity types to hear of from now on. */
  setTypes(entityTypes: readonly string[]): void;
  /** The page woke up or is online again: check the connection now instead of at the next timer. */
  nudge(): void;
  /** Idempotent. */
  stop(): void;
}

/**
 * How the client speaks with a backend. Calls reject with `TransportError`; outcomes such as `held` are answers. The
 * client waits 15 s for each of them, and then asks again.
 */
export interface LockTransport {
  /** What this backend can do. */
  readonly capabilities: TransportCapabilities;
  /** Claims a record for one open form. */
  claim(ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer>;
  /** Extends the lease of one open form. */
  renew(ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer>;
  /** Takes the lock from the holder that the user saw. Absent where the backend cannot. */
  takeOver?(ref: EntityRef, request: LeaseRequest & { readonly fromHolderOid: string }): Promise<LeaseAnswer>;
  /** `keepalive`: the page is going away, so the request must outlive it and the token must be at hand at once. */
  release(
    ref: EntityRef,
    request: {
      readonly sessionId: string;
      readonly graceMs: number;
      readonly keepalive: boolean;
      /** All of the user's sessions, those of other windows too; `sessionId` then says nothing. */
      readonly all?: boolean;
    },
  ): Promise<ReleaseAnswer>;
  /** All pages of one type's live locks. */
  list(entityType: string): Promise<ListAnswer>;
  /** The user's own live locks of all types. Absent where the backend cannot say. */
  mine?(): Promise<ListAnswer>;
  /** Hears of changes until the subscription is stopped. */
  subscribe(listener: TransportListener): TransportSubscription;
  /** The user signed out: forget whatever lets this page in. */
  forget?(): void;
}

/** A call that got no answer, or an answer that is a failure. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** HTTP status; 0 = no answer. */
  readonly status: number;
  /** The problem's stable `code`, `""` where there is none. */
  readonly code: string;

  constructor(
    message: string,
    { status = 0, code = '', cause }: { status?: number; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
  }

  /**
   * True where asking again later may help: no answer, 5xx, 408, 429. Anything else is refused for good, and so is
   * `too-many-locks`: it helps to let go of some, not to wait.
   */
  get isTransient(): boolean {
    const { status, code } = this;
    return code !== 'too-many-locks' && (!status || status >= 500 || status === 408 || status === 429);
  }
}
