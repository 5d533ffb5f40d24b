import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redisFromEnvironment } from '../../../server/index.ts';

const target = (environment: object) => redisFromEnvironment(environment)?.target;
const description = (environment: object) => redisFromEnvironment(environment)?.description;

describe('where an environment says that Redis is', () => {
  it('nothing said, or said with nothing: no Redis', () => {
    assert.equal(redisFromEnvironment({}), null);
    assert.equal(redisFromEnvironment({ REDIS_URL: '', REDIS_CLUSTER: undefined, REDIS_SENTINEL: '' }), null);
  });

  it('REDIS_URL is passed on as it is, and shown without its password', () => {
    const REDIS_URL = 'rediss://rowlock:secret@redis.example.com:6380/2';
    assert.deepEqual(target({ REDIS_URL }), { url: REDIS_URL });
    assert.equal(description({ REDIS_URL }), 'redis at rediss://redis.example.com:6380');
    assert.equal(description({ REDIS_URL: 'redis://localhost' }), 'redis at redis://localhost:6379');
  });

  it('REDIS_CLUSTER is a list of nodes, with one user and one scheme for all', () => {
    assert.deepEqual(target({ REDIS_CLUSTER: 'redis://h1:7000,h2:7001, [::1]:7002,h4' }), {
      cluster: [
        { host: 'h1', port: 7000 },
        { host: 'h2', port: 7001 },
        { host: '::1', port: 7002 },
        { host: 'h4', port: 6379 },
      ],
      connection: {},
    });
    assert.deepEqual(target({ REDIS_CLUSTER: 'rediss://rowlock:p%40ss@h1:7000,rediss://h2:7001' }), {
      cluster: [
        { host: 'h1', port: 7000 },
        { host: 'h2', port: 7001 },
      ],
      connection: { username: 'rowlock', password: 'p@ss', tls: {} },
    });
    assert.equal(
      description({ REDIS_CLUSTER: 'rediss://rowlock:secret@h1:7000,[::1]:7001' }),
      'redis cluster at rediss://h1:7000,[::1]:7001',
    );
  });

  it('REDIS_SENTINEL is a list of Sentinels and the master’s name', () => {
    assert.deepEqual(target({ REDIS_SENTINEL: 'sentinel://h1:26379,h2/mymaster' }), {
      sentinel: {
        sentinels: [
          { host: 'h1', port: 26379 },
          { host: 'h2', port: 26379 },
        ],
        name: 'mymaster',
      },
      connection: {},
    });
    assert.deepEqual(target({ REDIS_SENTINEL: 'sentinels://:secret@h1/main%20one' }), {
      sentinel: { sentinels: [{ host: 'h1', port: 26379 }], name: 'main one' },
      connection: { password: 'secret', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    });
    assert.equal(
      description({ REDIS_SENTINEL: 'sentinel://:secret@h1,h2:7/mymaster' }),
      'redis "mymaster" of sentinel://h1:26379,h2:7',
    );
  });

  for (const [variable, values] of Object.entries({
    REDIS_URL: [':secret@h', 'http://secret@h', 'redis://', 'h:6379', 'redis://h:secret'],
    REDIS_CLUSTER: [
      'secret',
      'h1:7000,h2:7000',
      'redis://',
      'redis://h1,,h2',
      'redis://h1:secret',
      'redis://h1/secret',
      'http://h1',
      'redis://%secret@h1',
      'redis://h1?secret',
      'sentinel://h1/secret',
    ],
    REDIS_SENTINEL: [
      'secret',
      'sentinel://h1',
      'sentinel://h1/',
      'sentinel:///secret',
      'sentinel://h1/secret/more',
      'redis://h1/secret',
      'sentinel://h1:secret/m',
      'sentinel://h1/%secret',
    ],
  })) {
    for (const value of values) {
      it(`${variable}=${value}: an error that names the variable and what was expected, and never the value`, () => {
        assert.throws(
          () => redisFromEnvironment({ [variable]: value }),
          (error: unknown) =>
            error instanceof Error &&
            error.message.startsWith(`${variable}: expected `) &&
            /"(redis|sentinel):\/\//.test(error.message) &&
            !error.message.includes('secret'),
        );
      });
    }
  }

  it('two of them are one too many', () => {
    assert.throws(
      () => redisFromEnvironment({ REDIS_URL: 'redis://h', REDIS_SENTINEL: 'sentinel://h/m' }),
      /^Error: REDIS_URL and REDIS_SENTINEL: expected only one of them\.$/,
    );
  });
});
