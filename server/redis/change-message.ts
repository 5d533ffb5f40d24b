import * as v from 'valibot';
import { LOCK_OPERATIONS, type DataChange, type EntityChange } from '../../core/index.ts';

const MESSAGE = /^(\d{1,16}) (\d{1,16}) (\{.*\})$/s;

const LockNews = v.object({
  operation: v.picklist(LOCK_OPERATIONS),
  expiresInMs: v.number(),
  lock: v.object({
    entityType: v.string(),
    entityUid: v.string(),
    holderOid: v.string(),
    holderName: v.string(),
    acquiredAtUtc: v.string(),
    expiresAtUtc: v.string(),
  }),
});

const DataNews = v.object({
  entityType: v.string(),
  entityUid: v.string(),
  operation: v.string(),
  by: v.exactOptional(
    v.object({ oid: v.string(), name: v.string(), kind: v.picklist(['user', 'automation']) }),
  ),
});

/**
 * Reads `<fence> <at> <json>`: a lock change, as the scripts write it round the record really stored, or with fence 0
 * the application's own change. Throws an Error that names what is wrong; never shows the message itself.
 */
export function readChangeMessage(message: string): EntityChange {
  const [, fenceText, atText, json] = MESSAGE.exec(message) ?? [];
  if (json === undefined) throw new Error('expected "<fence> <at> <json>"');
  const fence = Number(fenceText);
  const at = Number(atText);
  if (fence === 0) return { ...check(DataNews, json), at };
  const { operation, expiresInMs, lock } = check(LockNews, json);
  // The TTL decides when a lock ends; a record that was kept says an older end. `Released` shows what had been.
  const end = Math.floor(at / 1_000) + expiresInMs;
  const expiresAtUtc = operation === 'Released' ? lock.expiresAtUtc : new Date(end).toISOString();
  const { entityType, entityUid } = lock;
  return {
    entityType,
    entityUid,
    operation,
    lock: { ...lock, expiresAtUtc, expiresInMs, fence, at },
    fence,
    at,
  };
}

/** Writes the application's own change. */
export function writeChangeMessage({ entityType, entityUid, operation, by, at }: DataChange): string {
  return `0 ${at.toFixed(0)} ${JSON.stringify({ entityType, entityUid, operation, by })}`;
}

function check<Schema extends v.GenericSchema>(schema: Schema, json: string): v.InferOutput<Schema> {
  const result = v.safeParse(schema, JSON.parse(json));
  if (result.success) return result.output;
  throw new Error(`${v.getDotPath(result.issues[0]) ?? 'json'}: ${result.issues[0].message}`);
}
