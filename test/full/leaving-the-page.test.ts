import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import type { Desk } from '../support/desk.ts';
import { setStage } from '../support/stage.ts';

const GRACE_MS = 5_000;
/** Beyond the grace or the lease: one second by the requirement, three times that for a busy machine. */
const HEADROOM_MS = 3_000;

describe('the holder goes away', () => {
  const stage = setStage();
  const desks: Desk[] = [];
  const bothOpen = async (request: string) => {
    const anna = await stage.open('anna', request);
    await anna.inState('mine');
    const ben = await stage.open('ben', request);
    await ben.inState('held');
    desks.push(anna, ben);
    return { anna, ben };
  };
  afterEach(async () => {
    for (const desk of desks.splice(0)) await desk.close();
  });

  it("closing Anna's tab frees the request for Ben within the grace (F2)", async () => {
    const { anna, ben } = await bothOpen('REQ-2041');
    await anna.page.close({ runBeforeUnload: true });
    const begun = performance.now();
    await ben.inState('mine');
    const tookMs = performance.now() - begun;
    console.log(`closed tab: free for the other after ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < GRACE_MS + HEADROOM_MS, `it took ${tookMs} ms`);
  });

  it('a reload while Ben waits gives it back to Anna (F11)', async () => {
    const { anna, ben } = await bothOpen('REQ-2042');
    await ben.page.evaluate(() => {
      const states: string[] = [];
      Object.assign(window, { acquired: states });
      document.addEventListener('lock-acquired', () => states.push('acquired'), true);
    });
    await anna.page.reload();
    await anna.inState('mine');
    // Not what is left of the grace: its end will free nothing.
    const renewed = new Redis(stage.redis.port, { maxRetriesPerRequest: 0 });
    const key = (await renewed.keys('lock:*REQ-2042'))[0] ?? '';
    assert.ok((await renewed.pttl(key)) > 2 * GRACE_MS, 'the lease is a full one again');
    renewed.disconnect();
    await ben.inState('held');
    assert.match(await ben.bannerText(), /Anna/);
    assert.deepEqual(
      await ben.page.evaluate(() => (window as unknown as { acquired: string[] }).acquired),
      [],
    );
  });

  it('a tab that is killed frees it when the lease ends, without any message (F1)', async () => {
    const { anna, ben } = await bothOpen('REQ-2043');
    // A crash sends nothing at all, so the page is cut off first.
    await anna.context.setOffline(true);
    await anna.page.close();
    // Nobody waits five minutes here: the end of the lease is brought forward where it is kept, and announced as
    // a renewal would be, so that Ben's page knows when to expect it. The end itself publishes nothing.
    const admin = new Redis(stage.redis.port, { maxRetriesPerRequest: 0 });
    const key = (await admin.keys('lock:*REQ-2043'))[0] ?? '';
    const record = (await admin.get(key)) ?? '';
    const [fence] = ((await admin.get(key.replace('lock:', 'lockfence:'))) ?? '').split(' ');
    const [seconds, micros] = await admin.time();
    const index = key.replace('lock:', 'lockidx:').split(':').slice(0, -1).join(':');
    const endsAtMs = Number(seconds) * 1_000 + 2_000;
    await admin.pexpireat(key, endsAtMs);
    await admin.zadd(index, endsAtMs, key);
    const at = Number(seconds) * 1_000_000 + Number(micros);
    const news = JSON.stringify({
      operation: 'Renewed',
      expiresInMs: 2_000,
      lock: JSON.parse(record) as unknown,
    });
    const channel = `lockchange:${/\{.*\}/.exec(key)?.[0] ?? ''}`;
    assert.equal(await admin.publish(channel, `${fence} ${at} ${news}`), 1, 'the server hears it');
    admin.disconnect();
    await ben.inState('mine');
    const lateMs = Date.now() - endsAtMs;
    console.log(`killed tab: free for the other ${lateMs} ms after the end of the lease`);
    assert.ok(lateMs >= 0, 'not before the lease is over');
    assert.ok(lateMs < HEADROOM_MS, `it took ${lateMs} ms`);
  });
});
