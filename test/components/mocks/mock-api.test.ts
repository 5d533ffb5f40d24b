import { expect } from '@open-wc/testing';
import { http, HttpResponse } from 'msw';
import { guardMockWrite } from '../../../mocks/index.ts';
import { ANNA, BEN, EVE, MockedPage, replyOf } from './mocked-page.ts';

describe('the mocked lock API in a page', () => {
  let page: MockedPage;
  afterEach(() => page.stop());

  it('gives a free record to whoever claims it, and tells the next one who has it', async () => {
    page = await MockedPage.start();
    const mine = await page.call(ANNA, 'POST', '/locks/Order/1/claim', { sessionId: 's1' });
    expect(mine.status).to.equal(200);
    expect(mine.contentType).to.equal('application/json');
    expect(mine.body).to.deep.include({ outcome: 'acquired', canTakeOver: false, renewAfterMs: 120_000 });
    expect(mine.body['me']).to.deep.equal({ holderOid: 'anna' });
    const theirs = await page.call(BEN, 'POST', '/locks/Order/1/claim', { sessionId: 's2' });
    expect(theirs.body).to.deep.include({ outcome: 'held', canTakeOver: true });
    expect(theirs.body['lock']).to.include({ holderOid: 'anna', holderName: 'Anna', entityUid: '1' });
  });

  it('renews, lists and releases', async () => {
    page = await MockedPage.start();
    await page.call(ANNA, 'POST', '/locks/Order/1/claim', { sessionId: 's1' });
    const renewed = await page.call(ANNA, 'POST', '/locks/Order/1/renew', { sessionId: 's1' });
    expect(renewed.body['outcome']).to.equal('acquired');
    for (const path of ['/locks/Order', '/locks/Order/1', '/locks/mine']) {
      const { body } = await page.call(ANNA, 'GET', path);
      expect(body['store'], path).to.equal('ok');
      expect(body['locks'], path).to.have.length(1);
    }
    const released = await page.call(ANNA, 'DELETE', '/locks/Order/1?sessionId=s1');
    expect(released.body).to.deep.equal({ outcome: 'released' });
    expect((await page.call(BEN, 'GET', '/locks/Order')).body['locks']).to.deep.equal([]);
  });

  it('lets a user take over, unless the application says no', async () => {
    page = await MockedPage.start({ lockable: { canTakeOver: (taker) => taker.oid === 'ben' } });
    await page.call(ANNA, 'POST', '/locks/Order/1/claim', {});
    const taken = await page.call(BEN, 'POST', '/locks/Order/1/take-over', { fromHolderOid: 'anna' });
    expect(taken.body).to.deep.include({ outcome: 'acquired' });
    const refused = await page.call(ANNA, 'POST', '/locks/Order/1/take-over', { fromHolderOid: 'ben' });
    expect(refused.status).to.equal(403);
    expect(refused.contentType).to.equal('application/problem+json');
    expect(refused.body).to.include({ code: 'take-over-denied', status: 403 });
  });

  it('lets a release with keepalive through, as a page sends it on its way out', async () => {
    page = await MockedPage.start();
    await page.call(ANNA, 'POST', '/locks/Order/1/claim', { sessionId: 's1' });
    const response = await fetch('/api/locks/Order/1?sessionId=s1&graceMs=5000', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${ANNA.token}` },
      keepalive: true,
    });
    expect((await replyOf(response)).body).to.deep.equal({ outcome: 'released' });
  });

  it('knows nobody without a token and nothing of another tenant', async () => {
    page = await MockedPage.start();
    await page.call(ANNA, 'POST', '/locks/Order/1/claim', {});
    expect((await page.call(null, 'GET', '/locks/Order')).status).to.equal(401);
    const wrong = await page.call({ ...ANNA, token: 'wrong' }, 'GET', '/locks/Order');
    expect(wrong.body).to.include({ code: 'unauthenticated' });
    expect((await page.call(EVE, 'GET', '/locks/Order')).body['locks']).to.deep.equal([]);
  });

  it('takes uids with slashes, percent signs and umlauts as they were sent', async () => {
    page = await MockedPage.start();
    const uid = 'a/b 100% ä?#';
    const { body } = await page.call(ANNA, 'POST', `/locks/Order/${encodeURIComponent(uid)}/claim`, {});
    expect(body['lock']).to.include({ entityUid: uid });
    const broken = await page.call(ANNA, 'GET', '/locks/Order/%E0%A4%A');
    expect(broken.body).to.include({ code: 'bad-request', field: 'path' });
  });

  it('answers below a sub-path and at another origin, and leaves the rest of the API alone', async () => {
    page = await MockedPage.start(
      { apiPath: '/api' },
      { extraHandlers: [http.get('/api/orders', () => HttpResponse.json(['an order']))] },
    );
    const headers = { authorization: `Bearer ${ANNA.token}` };
    for (const base of ['/app/api', 'https://api.example.test/v1/api']) {
      const { body } = await replyOf(await fetch(`${base}/locks/mine`, { headers }));
      expect(body['store'], base).to.equal('ok');
    }
    expect(await (await fetch('/api/orders')).json()).to.deep.equal(['an order']);
  });

  it('says unknown and shows no lock while the store is unavailable', async () => {
    page = await MockedPage.start({ fail: 'unavailable' });
    const claim = await page.call(ANNA, 'POST', '/locks/Order/1/claim', {});
    expect(claim.status).to.equal(200);
    expect(claim.body).to.include({ outcome: 'unknown', lock: null, changed: null });
    const list = await page.call(ANNA, 'GET', '/locks/Order');
    expect(list.body).to.deep.include({ store: 'unavailable', locks: [] });
    page.backend.setFailure(null);
    const again = await page.call(ANNA, 'POST', '/locks/Order/1/claim', {});
    expect(again.body['outcome']).to.equal('acquired');
  });

  it('answers 503 or fails, as told, until it is told otherwise', async () => {
    page = await MockedPage.start({ fail: 'error' });
    expect((await page.call(ANNA, 'GET', '/locks/mine')).status).to.equal(503);
    for (const failure of ['network', 'offline'] as const) {
      page.backend.setFailure(failure);
      const error: unknown = await page.call(ANNA, 'GET', '/locks/mine').catch((reason: unknown) => reason);
      expect(error, failure).to.be.instanceOf(TypeError);
    }
    page.backend.setFailure(null);
    expect((await page.call(ANNA, 'GET', '/locks/mine')).status).to.equal(200);
  });

  it('asks the failure function at every call', async () => {
    const failures = ['error', null, 'error'] as const;
    let calls = 0;
    page = await MockedPage.start({ fail: () => failures[calls] ?? null });
    const statuses: number[] = [];
    for (; calls < failures.length; calls += 1) {
      statuses.push((await page.call(ANNA, 'GET', '/locks/mine')).status);
    }
    expect(statuses).to.deep.equal([503, 200, 503]);
  });

  it('swallows a request that hangs, so that only its caller can end it', async () => {
    let hangs = () => {};
    const arrived = new Promise<void>((resolve) => (hangs = resolve));
    page = await MockedPage.start({
      fail: () => {
        hangs();
        return 'hang';
      },
    });
    const abort = new AbortController();
    const claim = fetch('/api/locks/Order/1/claim', {
      method: 'POST',
      headers: { authorization: `Bearer ${ANNA.token}` },
      signal: abort.signal,
    }).catch((reason: unknown) => (reason as Error).name);
    await arrived;
    page.backend.setFailure(null);
    const list = await page.call(BEN, 'GET', '/locks/Order');
    expect(list.body['locks']).to.deep.equal([]);
    abort.abort();
    expect(await claim).to.equal('AbortError');
  });

  it('delays the answer by the latency, and takes the step at once', async () => {
    const timers: (() => void)[] = [];
    const delays: number[] = [];
    page = await MockedPage.start({
      latencyMs: 250,
      timers: {
        set: (run, delayMs) => {
          delays.push(delayMs);
          return timers.push(run);
        },
        clear: () => {},
      },
    });
    const acquired = new Promise((resolve) => page.backend.feed.onChange((_, change) => resolve(change)));
    let answered = false;
    const claim = page.call(ANNA, 'POST', '/locks/Order/1/claim', {}).then((reply) => {
      answered = true;
      return reply;
    });
    await acquired;
    // One more round trip through the worker: were the answer not held back, it would be here by now.
    await fetch('/mockServiceWorker.js');
    expect(answered).to.equal(false);
    expect(delays).to.deep.equal([250]);
    for (const run of timers) run();
    expect((await claim).body['outcome']).to.equal('acquired');
  });

  it('guards the writes of the application’s own handlers', async () => {
    page = await MockedPage.start(
      {},
      {
        extraHandlers: [
          http.put('/api/orders/:uid', async ({ request, params }) => {
            const uid = String(params['uid']);
            const { problem, afterWrite } = await guardMockWrite(page.backend, request, {
              type: 'Order',
              uid,
            });
            if (problem !== null) return problem;
            await afterWrite();
            return HttpResponse.json({ saved: true });
          }),
        ],
      },
    );
    const save = async (token: string) =>
      await replyOf(
        await fetch('/api/orders/1', { method: 'PUT', headers: { authorization: `Bearer ${token}` } }),
      );
    await page.call(ANNA, 'POST', '/locks/Order/1/claim', {});
    expect((await save(BEN.token)).body).to.include({ code: 'entity-locked', status: 409 });
    expect((await save(ANNA.token)).body).to.deep.equal({ saved: true });
  });
});
