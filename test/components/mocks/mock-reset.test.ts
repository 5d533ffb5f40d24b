import { expect, fixture, html } from '@open-wc/testing';
import '../../../components/define.ts';
import type { LockGuard } from '../../../components/lock-guard.ts';
import type { LockProvider } from '../../../components/lock-provider.ts';
import { nextEvent } from '../next-event.ts';
import { ANNA, BEN, MockedPage } from './mocked-page.ts';

const ORDER = { entityType: 'Order', entityUid: '1' };

/** What a test leaves in a page that goes on must not reach the next one. */
describe('a mock that is reset between two tests', () => {
  let page: MockedPage;
  let provider: LockProvider;

  const open = (): LockGuard => {
    const guard = document.createElement('lock-guard');
    Object.assign(guard, ORDER);
    provider.append(guard);
    return guard;
  };

  beforeEach(async () => {
    page = await MockedPage.start();
    const config = { getToken: () => ANNA.token };
    provider = await fixture(html`<lock-provider .config=${config}></lock-provider>`);
  });
  afterEach(async () => {
    await provider.client.signOut();
    await page.stop();
  });

  it('gives the next form a lock of its own, not what the last one had', async () => {
    const last = open();
    await nextEvent(last, 'lock-acquired');
    last.remove();
    await page.backend.reset();
    const states: string[] = [];
    provider.addEventListener('lock-statechange', ({ state }) => states.push(state));
    await nextEvent(open(), 'lock-acquired');
    await page.call(BEN, 'GET', '/locks/Order/1'); // by then, whatever is still on its way has arrived
    expect(states).to.deep.equal(['claiming', 'mine']);
  });

  it('lets in whoever waits, on the same connection', async () => {
    await page.backend.as(BEN).claim(ORDER);
    const guard = open();
    await nextEvent(guard, 'lock-held');
    await page.backend.reset();
    await nextEvent(guard, 'lock-acquired');
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
  });
});
