import * as v from 'valibot';
import { LOCK_OPERATIONS, type DataChange, type EntityChange } from '../../core/index.ts';
import { displayName } from '../display-name.ts';

const MESSAGE = /^(\d{1,16}) (\d{1,16}) (\{.*\})$/s;

/** Whoever wrote it: names are shown as ours are. */
const Name = v.pipe(
  v.string(),
  v.transform((name) => displayName(name, '')),
);

const LockNews = v.object({
  operation: v.picklist(LOCK_OPERATIONS),
  expiresInMs: v.number(),
  lock: v.object({
    entityType: v.string(),
    entityUid: v.string(),
    holderOid: v.string(),
    holderName: Name,
    acquiredAtUtc: v.string(),
    expiresAtUtc: v.string(),
  }),
});

const DataNews = v.object({
  entityType: v.string(),
  entityUid: v.string(),
  operation: v.string(),
  by: v.exactOptional(v.object({ oid: v.string(), name: Name, kind: v.picklist(['user', 'automation']) })),
});

/** Which connections every node is to close, and which node of the application says so. */
const Disconnect = v.object({
  disconnect: v.pipe(v.string(), v.nonEmpty()),
  from: v.exactOptional(v.string(), ''),
});

/** What travels on a tenant's channel. */
export type ChangeMessage =
  | { readonly kind: 'change'; readonly change: EntityChange }
  | { readonly kind: 'disconnect'; readonly oid: string; readonly from: string };

/**
 * Reads `<fence> <at> <json>`: a lock change, as the scripts write it round the record really stored, or with fence 0
 * the application's own change, or a user to disconnect. Throws an Error that names what is wrong; never shows the
 * message itself. (Nodes of versions that know no disconnecting skip it with a warning.)
 */
export function readChangeMessage(message: string): ChangeMessage {
  const [, fenceText, atText, json] = MESSAGE.exec(message) ?? [];
  if (json === undefined) throw new Error('expected "<fence> <at> <json>"');
  const fence = Number(fenceText);
  const at = Number(atText);
  const news: unknown = JSON.parse(json);
  if (fence !== 0) return { kind: 'change', change: lockChange(check(LockNews, news), fence, at) };
  if (typeof news === 'object' && news !== null && 'disconnect' in news) {
    const { disconnect, from } = check(Disconnect, news);
    return { kind: 'disconnect', oid: disconnect, from };
  }
  return { kind: 'change', change: { ...check(DataNews, news), at } };
}

function lockChange(
  { operation, expiresInMs, lock }: v.InferOutput<typeof LockNews>,
  fence: number,
  at: number,
): EntityChange {
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

/** Writes which user's connections are to be closed. `from` = the node that says so, which has closed its own. */
export function writeDisconnectMessage(oid: string, from: string, atMicros: number): string {
  return `0 ${atMicros.toFixed(0)} ${JSON.stringify({ disconnect: oid, from })}`;
}

function check<Schema extends v.GenericSchema>(schema: Schema, news: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, news);
  if (result.success) return result.output;
  throw new Error(`${v.getDotPath(result.issues[0]) ?? 'json'}: ${result.issues[0].message}`);
}
