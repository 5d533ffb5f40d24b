import { entityRef, keyPart, type EntityRef } from './entity-ref.ts';
import { LockError, PROBLEM_MEDIA_TYPE, type Problem } from './lock-error.ts';
import type { LockService } from './lock-service.ts';
import type { Principal } from './principal.ts';
import { FENCE_HEADER, readFenceHeader } from './write-rule.ts';
import { newWriteSession } from './write-session.ts';

/** A request's headers as frameworks have them: Node's object, or the standard `Headers`. A job has none: `{}`. */
export type WriteHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

/** What happens once a write is done. */
export interface AfterWrite {
  /** The word for the change. Default: `Updated`. */
  readonly operation?: string;
  /** A final decision: the caller's sessions end with a write that succeeded. Default false. */
  readonly releaseAfter?: boolean;
  /** Tell waiting forms and grids of a write that succeeded. Default true. */
  readonly publishChange?: boolean;
}

/** How one write is checked. */
export interface CheckWriteOptions extends AfterWrite {
  /**
   * Hold the record until `finish`, for 30 s at most, so that no other write with `hold` goes beside this one, not even
   * the same person's: `write-in-progress`. An open form of the caller's keeps its lock. Default false.
   */
  readonly hold?: boolean;
  /** This write is not stopped by locks (a comment, a read mark); it may still publish. Default false. */
  readonly exempt?: boolean;
}

/** Go ahead, then say how it went. */
export interface AllowedWrite {
  /** Tells it from a refusal. */
  readonly allowed: true;
  /**
   * Publishes the change where the write succeeded, and lets go of what was held. The first call counts; never rejects.
   * The answer need not wait for it.
   */
  finish(result: { readonly ok: boolean }): Promise<void>;
}

/** Answer with this, and write nothing. */
export interface RefusedWrite {
  /** Tells it from a write that goes ahead. */
  readonly allowed: false;
  /** The HTTP status to answer with. */
  readonly status: number;
  /** `application/problem+json` */
  readonly contentType: string;
  /** The body to answer with. */
  readonly problem: Problem;
  /** The same, to throw or to switch on. */
  readonly error: LockError;
}

/** What a check of one write came to: switch on `allowed`. */
export type CheckedWrite = AllowedWrite | RefusedWrite;

/**
 * The write rule for whoever writes, without any framework. Everything that is wrong with the request is a refusal too:
 * nobody (401), a malformed `Lock-Fence`, an impossible uid, a type that is not registered (400). While the store is away
 * every write is allowed.
 */
export async function checkWrite(
  service: LockService,
  principal: Principal | null,
  { entityType, entityUid }: EntityRef,
  headers: WriteHeaders = {},
  { hold = false, exempt = false, ...after }: CheckWriteOptions = {},
): Promise<CheckedWrite> {
  try {
    const writer = usablePrincipal(principal);
    const ref = entityRef(entityType, entityUid);
    service.registry.get(ref.entityType);
    const sessionId = hold && !exempt && writer.kind === 'user' ? newWriteSession() : null;
    if (!exempt) {
      const fence = readFenceHeader(headerOf(headers, FENCE_HEADER));
      const refusal =
        sessionId === null
          ? await service.checkWrite(writer, ref, fence)
          : await service.holdWrite(writer, ref, { sessionId, fence });
      if (refusal !== null) return refusedWrite(refusal);
    }
    let isFinished = false;
    return {
      allowed: true,
      async finish({ ok }) {
        if (isFinished) return;
        isFinished = true;
        await finishWrite(service, writer, ref, { ...after, ok, sessionId });
      },
    };
  } catch (error) {
    return refusedWrite(error);
  }
}

/** Throws anything but a `LockError` on. */
export function refusedWrite(error: unknown): RefusedWrite {
  if (!(error instanceof LockError)) throw error;
  const { status } = error;
  return { allowed: false, status, contentType: PROBLEM_MEDIA_TYPE, problem: error.toProblem(), error };
}

/**
 * First the news, then the release: a page that waits for the lock must know that the data changed before it gets it.
 * Both in one turn: a release that waited for the news could end a session that the page opens on the answer.
 */
export async function finishWrite(
  service: LockService,
  writer: Principal,
  ref: EntityRef,
  {
    ok,
    sessionId,
    operation = 'Updated',
    releaseAfter = false,
    publishChange = true,
  }: AfterWrite & { readonly ok: boolean; readonly sessionId: string | null },
): Promise<void> {
  const { tenant, oid, name, kind } = writer;
  const news = ok && publishChange && service.publish(tenant, { ...ref, operation, by: { oid, name, kind } });
  const isDecision = ok && releaseAfter && kind === 'user';
  const release =
    (isDecision || sessionId !== null) &&
    service.release(writer, ref, { sessionId: isDecision ? null : sessionId });
  await Promise.all([news, release]);
}

/** In the spelling of claims, so that one's own lock is known. Throws `unauthenticated`. */
export function usablePrincipal(principal: Principal | null): Principal {
  if (principal === null) throw new LockError('unauthenticated', 'A valid bearer token is needed.');
  try {
    const { tenant, oid } = principal;
    return { ...principal, tenant: keyPart('tenant', tenant), oid: keyPart('oid', oid) };
  } catch (cause) {
    throw new LockError('unauthenticated', 'The identity has no usable tenant or object id.', { cause });
  }
}

/** A header that came twice is joined, as HTTP has it (RFC 9110 section 5.3). */
function headerOf(headers: WriteHeaders, name: string): string | null | undefined {
  if (isHeaders(headers)) return headers.get(name);
  const known = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  const value = known === undefined ? undefined : headers[known];
  return typeof value === 'string' ? value : value?.join(', ');
}

function isHeaders(headers: WriteHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}
