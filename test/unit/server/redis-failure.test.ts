import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable } from '../../../core/index.ts';
import { isSetupFault, redisFailure } from '../../../server/redis/redis-failure.ts';

/** Messages of a real Redis 7 and of Redis 6, which buries the code in a script error. */
const PASSING = [
  "OOM command not allowed when used memory > 'maxmemory'. script: 1a2b, on @user_script:43.",
  'NOREPLICAS Not enough good replicas to write.',
  'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
  'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
  "READONLY You can't write against a read only replica. script: 1a2b, on @user_script:43.",
  'ERR Error running script (call to f_1a2b): @user_script:43: -READONLY You can’t write against a read only replica.',
  'MASTERDOWN Link with MASTER is down',
  'CLUSTERDOWN Hash slot not served',
  'LOADING Redis is loading the dataset in memory',
  'Connection is closed.',
  'connect ECONNREFUSED 127.0.0.1:6379',
  'Command timed out',
  'Too many Cluster redirections. Last error: ReplyError: MOVED 4748 127.0.0.1:7506',
  'No node of the cluster can be reached',
];
const SETUP = [
  "NOPERM this user has no permissions to run the 'evalsha' command",
  'NOAUTH Authentication required.',
  'WRONGPASS invalid username-password pair or user is disabled.',
  "CROSSSLOT Keys in request don't hash to the same slot",
  'MOVED 3999 127.0.0.1:6381',
  'WRONGTYPE Operation against a key holding the wrong kind of value script: 1a2b, on @user_script:9.',
  "ERR unknown command 'evalsha', with args beginning with: ",
  'ERR user_script:12: Script attempted to access nonexistent global variable',
  "ERR Error compiling script (new function): user_script:3: '=' expected",
  'ERR Script attempted to access a non local key in a cluster node',
  'ERR This instance has cluster support disabled',
];

describe('a failure of Redis', () => {
  for (const message of PASSING)
    it(`passes by itself: ${message.slice(0, 60)}`, () => assert.equal(isSetupFault(message), false));
  for (const message of SETUP)
    it(`is a fault of the set-up: ${message.slice(0, 60)}`, () => assert.equal(isSetupFault(message), true));

  it('keeps Redis’ own words and the cause, whatever was thrown', () => {
    const cause = new Error('ERR something new');
    const failure = redisFailure(cause, null);
    assert.ok(failure instanceof StoreUnavailable, 'it is a StoreUnavailable');
    assert.equal(failure.message, 'ERR something new');
    assert.equal(failure.cause, cause);
    assert.equal(redisFailure('a text', null).message, 'a text');
  });
});
