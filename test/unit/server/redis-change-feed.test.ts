import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { describe, it } from 'node:test';
import type { ChannelListener } from '../../../server/redis/channel-subscriptions.ts';
import { RedisChangeFeed } from '../../../server/redis/redis-change-feed.ts';
import type { RedisLink } from '../../../server/redis/redis-link.ts';
import { silentLog } from '../../support/silent-log.ts';
import { until } from '../../support/until.ts';

describe('a gap in what RedisChangeFeed hears', () => {
  it('is told only when commands pass as well: whoever is told asks at once', async () => {
    const redis = new Redis({ lazyConnect: true });
    let listener: ChannelListener | undefined;
    const link = {
      redis,
      hear: (heard: ChannelListener) => {
        listener = heard;
        return {};
      },
    } as unknown as RedisLink;
    const feed = new RedisChangeFeed({ link, log: silentLog });
    const toldAt: string[] = [];
    feed.onGap(() => toldAt.push(redis.status));
    redis.status = 'connecting';
    listener?.onResubscribed();
    assert.deepEqual(toldAt, [], 'the command connection is not back');
    redis.status = 'ready';
    await until('it is told', () => toldAt.length > 0);
    listener?.onResubscribed();
    assert.deepEqual(toldAt, ['ready', 'ready'], 'and at once where nothing is to be waited for');
    redis.disconnect();
  });
});
