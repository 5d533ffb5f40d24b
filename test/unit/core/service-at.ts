import {
  LockRegistry,
  LockService,
  MemoryChangeFeed,
  MemoryLockStore,
  lockable,
  microClock,
  type LockStore,
  type LockableOptions,
} from '../../../core/index.ts';
import { RecordedLog } from './recorded-log.ts';

/** A service over the memory store whose clock stands still until it is moved. */
export function serviceAt(
  startMs: number,
  {
    order = {},
    maxLocksPerHolder,
  }: { readonly order?: LockableOptions; readonly maxLocksPerHolder?: number } = {},
) {
  const clock = { nowMs: startMs };
  const feed = new MemoryChangeFeed(microClock(() => clock.nowMs));
  const store = new MemoryLockStore(feed);
  const log = new RecordedLog();
  const registry = new LockRegistry([lockable('Order', order), lockable('Invoice')]);
  const service = new LockService({
    store,
    feed,
    registry,
    log,
    now: () => clock.nowMs,
    ...(maxLocksPerHolder === undefined ? {} : { maxLocksPerHolder }),
  });
  return { clock, feed, store, log, registry, service };
}

/** A store on which every call comes to the same: a rejection, or whatever else `call` does. */
export function uniformStore(call: () => Promise<never>): LockStore {
  return {
    kind: 'uniform',
    claim: call,
    renew: call,
    release: call,
    takeOver: call,
    holdWrite: call,
    read: call,
    readMany: call,
    list: call,
    listHeldBy: call,
  };
}
