import * as v from 'valibot';
import {
  newLockRecord,
  type EntityLock,
  type EntityRef,
  type LiveLock,
  type LockHolder,
} from '../../core/index.ts';
import { displayName } from '../display-name.ts';

const Fields = v.object({
  holderOid: v.fallback(v.string(), ''),
  holderName: v.fallback(v.string(), ''),
  acquiredAtUtc: v.fallback(v.string(), ''),
});

/** Builds the JSON of a record, as it is stored. `since` keeps the start of the one it replaces. */
export function writeRecord(
  ref: EntityRef,
  holder: LockHolder,
  nowMs: number,
  leaseMs: number,
  since?: string,
): string {
  return JSON.stringify(newLockRecord(ref, holder, nowMs, leaseMs, since));
}

/**
 * The lock that a stored text says, `leftMs` before its end. The entity comes from the key and `expiresAtUtc` from the
 * TTL, which decides; what another writer left out, or wrote in no form of ours, is empty: held by somebody unknown. Its
 * names are shown as ours are, whatever is stored.
 */
export function readRecord(
  text: string,
  ref: EntityRef,
  { leftMs, fence, at }: { readonly leftMs: number; readonly fence: number; readonly at: number },
): LiveLock {
  const nowMs = Math.floor(at / 1_000);
  const { holderOid, holderName, acquiredAtUtc } = readFields(text);
  const record: EntityLock = {
    entityType: ref.entityType,
    entityUid: ref.entityUid,
    holderOid,
    holderName: displayName(holderName, ''),
    acquiredAtUtc: acquiredAtUtc === '' ? new Date(nowMs).toISOString() : acquiredAtUtc,
    expiresAtUtc: new Date(nowMs + leftMs).toISOString(),
  };
  return { ...record, expiresInMs: leftMs, fence, at };
}

/** The start of a record that `holderOid` holds: what a renewal keeps. Undefined for everybody else's. */
export function heldSince(text: string | null, holderOid: string): string | undefined {
  const fields = text === null ? null : readFields(text);
  return fields?.holderOid === holderOid && fields.acquiredAtUtc !== '' ? fields.acquiredAtUtc : undefined;
}

function readFields(text: string): v.InferOutput<typeof Fields> {
  const read = v.safeParse(Fields, parseJson(text));
  return read.success ? read.output : { holderOid: '', holderName: '', acquiredAtUtc: '' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // another writer's text: the schema refuses it
  }
}
