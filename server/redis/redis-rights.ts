import { entityRef } from '../../core/index.ts';
import { lockKeys } from './lock-keys.ts';
import type { PublishMode } from './lua-scripts.ts';
import type { RedisCall } from './run-pipeline.ts';

const COMMANDS =
  '+get +mget +set +del +pttl +pexpire +time +zadd +zrem +zrange +zrangebyscore +zremrangebyscore +zscore +zcount ' +
  '+eval +evalsha +ping +info';

/**
 * The least that a Redis user must be allowed, as ACL SETUSER takes it. `HELLO`, `AUTH` and `QUIT` need no right.
 * `sharded` as the publish mode has it; without `+client|setinfo` and `+role` nothing is missing but names in CLIENT LIST.
 */
export function neededRights(isCluster: boolean, publish: PublishMode): string {
  const channels =
    publish === 'sharded' ? '+spublish +ssubscribe +sunsubscribe' : '+publish +subscribe +unsubscribe';
  const cluster = isCluster ? ' +multi +exec +cluster|slots +cluster|info +asking +readonly +readwrite' : '';
  return `~lock:* ~lockidx:* ~lockfence:* ~locksess:* &lockchange:* ${COMMANDS} ${channels}${cluster}`;
}

/** Keys of a tenant that has no locks. */
const { lock, index, fence, sessions, channel } = lockKeys({
  tenant: 'rowlock-check',
  ref: entityRef('check', 'check'),
});

/** Where the subscriber asks for the right to listen. */
export const CHECK_CHANNEL = channel;

/**
 * Each command that scripts, reads and publishing use, in a form that changes nothing: on keys that do not exist, XX, an
 * empty range. What a user may not do inside a script, they may not do outside.
 */
export function rightsProbes(isCluster: boolean, publish: PublishMode): readonly RedisCall[] {
  return [
    ['time'],
    ['get', lock],
    ['mget', lock, fence],
    ['pttl', lock],
    ['set', lock, '', 'XX', 'PX', '1'],
    ['del', sessions],
    ['pexpire', index, '1'],
    ['zadd', index, 'XX', '1', 'none'],
    ['zrem', index, 'none'],
    ['zrange', sessions, '0', '-1'],
    ['zrangebyscore', index, '1', '0'],
    ['zremrangebyscore', index, '1', '0'],
    ['zscore', sessions, 'none'],
    ['zcount', sessions, '1', '0'],
    ['eval', 'return 1', '1', lock],
    // Not there: NOSCRIPT, from somebody who may ask.
    ['evalsha', '0'.repeat(40), '1', lock],
    [publish === 'sharded' ? 'spublish' : 'publish', channel, ''],
    ...(isCluster ? ([['cluster', 'slots']] as const) : []),
  ];
}
