import { expect } from '@open-wc/testing';
import { lockable } from '../../../core/index.ts';
import { createMockBackend, startMockWorker, type MockBackend } from '../../../mocks/index.ts';
import { ANNA } from './mocked-page.ts';

describe('startMockWorker', () => {
  const started: MockBackend[] = [];
  afterEach(() => {
    for (const backend of started.splice(0)) backend.stop();
  });

  const start = async (apiPath: string) => {
    const backend = createMockBackend({ types: [lockable('Order')], users: [ANNA], apiPath });
    started.push(backend);
    return await startMockWorker(backend);
  };
  const status = async (url: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${ANNA.token}` } })).status;

  it('lets requests through to the network again when it stops, twice if need be', async () => {
    const worker = await start('/api');
    expect(await status('/api/locks/mine')).to.equal(200);
    worker.stop();
    worker.stop();
    expect(await status('/api/locks/mine')).to.equal(404); // the test server's own answer
    const again = await start('/api');
    expect(await status('/api/locks/mine')).to.equal(200);
    again.stop();
  });

  it('lets several backends answer one page, each until it stops', async () => {
    const [sales, stock] = await Promise.all([start('/sales'), start('/stock')]);
    expect(await status('/sales/locks/mine')).to.equal(200);
    expect(await status('/stock/locks/mine')).to.equal(200);
    sales.stop();
    expect(await status('/sales/locks/mine')).to.equal(404);
    expect(await status('/stock/locks/mine')).to.equal(200);
    stock.stop();
  });

  it('leaves what no handler knows to the network', async () => {
    const worker = await start('/api');
    expect(await status('/mockServiceWorker.js')).to.equal(200);
    expect(await status('/api/orders/1')).to.equal(404);
    worker.stop();
  });
});
