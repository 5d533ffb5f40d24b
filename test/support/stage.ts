import { after, before } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { Desk } from './desk.ts';
import { startDemo, type DemoServer } from './demo-server.ts';
import { startRedis, type RedisServer } from './redis-server.ts';

/** Everything a story needs: a Redis of its own, the built demo on it, a browser. There from the first test to the last. */
export interface Stage {
  readonly redis: RedisServer;
  readonly demo: DemoServer;
  /** Opens a person's desk, in a browser context of its own. The story closes it. */
  open(
    user: 'anna' | 'ben',
    request: string,
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Desk>;
}

/** Sets the stage for the tests of the `describe` that it is called in. */
export function setStage(): Stage {
  let redis: RedisServer | undefined;
  let demo: DemoServer | undefined;
  let browser: Browser | undefined;
  before(async () => {
    redis = await startRedis();
    [demo, browser] = await Promise.all([startDemo({ redisUrl: redis.url }), launchChromium()]);
  });
  after(async () => {
    await browser?.close();
    await demo?.stop();
    await redis?.stop();
  });
  const there = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The stage is set when the first test begins.');
    return part;
  };
  return {
    get redis() {
      return there(redis);
    },
    get demo() {
      return there(demo);
    },
    open: (user, request, prepare) => Desk.open(there(browser), there(demo), user, request, prepare),
  };
}
