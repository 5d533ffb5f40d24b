import { Cluster, Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redisSettings } from '../../../server/index.ts';
import { clientAdvice } from '../../../server/redis/client-advice.ts';

const NODES = [{ host: '127.0.0.1', port: 1 }];
const settingsNamed = (advice: readonly string[]) =>
  advice.map((message) => /client's (\S+) is/.exec(message)?.[1]);

describe('advice on a client of the application’s own', () => {
  it('none where it has the settings that Rowlock names', () => {
    const redis = new Redis({ ...redisSettings.client });
    const cluster = new Cluster(NODES, { ...redisSettings.cluster });
    assert.deepEqual(clientAdvice(redis), []);
    assert.deepEqual(clientAdvice(cluster), []);
  });

  it('a Redis with ioredis’ own settings: each that makes people wait is named, with what it should be', () => {
    const advice = clientAdvice(new Redis({ lazyConnect: true }));
    assert.deepEqual(settingsNamed(advice), [
      'enableOfflineQueue',
      'autoResendUnfulfilledCommands',
      'maxRetriesPerRequest',
      'commandTimeout',
      'socketTimeout',
    ]);
    assert.match(advice[3] ?? '', /commandTimeout is undefined, expected 500 \(ms\): otherwise /);
  });

  it('a cluster with ioredis’ own settings, too', () => {
    assert.deepEqual(settingsNamed(clientAdvice(new Cluster(NODES, { lazyConnect: true }))), [
      'enableOfflineQueue',
      'maxRedirections',
      'slotsRefreshInterval',
      'redisOptions.maxRetriesPerRequest',
      'redisOptions.commandTimeout',
      'redisOptions.socketTimeout',
    ]);
  });

  it('lists from replicas and automatic pipelines are named where they are switched on', () => {
    const { cluster } = redisSettings;
    const redisOptions = { ...cluster.redisOptions, enableAutoPipelining: true };
    const client = new Cluster(NODES, { ...cluster, scaleReads: 'slave', redisOptions });
    assert.deepEqual(settingsNamed(clientAdvice(client)), [
      'scaleReads',
      'redisOptions.enableAutoPipelining',
    ]);
  });
});
