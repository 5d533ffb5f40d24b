import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { emulateMedia, sendKeys } from '@web/test-runner-commands';
import type { TemplateResult } from 'lit';
import '../../components/define.ts';
import '../../components/define-lock-list.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import type { LockList } from '../../components/lock-list.ts';
import type { LockProvider } from '../../components/lock-provider.ts';
import { ANNA, BEN, MockedPage } from './mocks/mocked-page.ts';
import { clickOn } from './user-input.ts';

describe('<lock-list>', () => {
  let page: MockedPage;
  let place: LockProvider;
  let list: LockList;

  const claim = (uid: string, user = ANNA, sessionId = 'elsewhere', type = 'Order'): Promise<unknown> =>
    page.call(user, 'POST', `/locks/${type}/${uid}/claim`, { sessionId });
  const show = async (
    attributes: { readonly types?: string; readonly lang?: string } = {},
    content: TemplateResult = html``,
  ): Promise<void> => {
    place = await fixture<LockProvider>(
      html`<lock-provider lang=${attributes.lang ?? 'en'} .config=${{ getToken: () => ANNA.token }}>
        <lock-list entity-types=${attributes.types ?? ''}>
          <a data-entity-type="Order" href="/orders/{uid}">Order {uid}</a>
        </lock-list>
        ${content}
      </lock-provider>`,
    );
    list = place.querySelector('lock-list') as LockList;
  };
  const all = (part: string): HTMLElement[] => [
    ...(list.shadowRoot?.querySelectorAll<HTMLElement>(`[part=${part}]`) ?? []),
  ];
  const one = (part: string): HTMLElement => all(part)[0] ?? list;
  const titles = (): string[] => all('title').map((title) => title.textContent.trim());
  const textOf = (part: string): string => (all(part)[0]?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const shows = (...expected: readonly string[]): Promise<void> =>
    waitUntil(() => titles().join() === expected.join(), `shows ${expected.join()}`);
  const answer = async (value: 'yes' | ''): Promise<void> => {
    const dialog = one('dialog') as HTMLDialogElement;
    await waitUntil(() => dialog.open);
    await clickOn(dialog.querySelector(value ? '[value=yes]' : 'button:not([value])') ?? dialog);
  };
  const isFree = async (uid: string): Promise<boolean> => {
    const { body } = await page.call(ANNA, 'GET', `/locks/Order/${uid}`);
    return (body['locks'] as readonly unknown[]).length === 0;
  };

  beforeEach(async () => {
    page = await MockedPage.start();
  });
  afterEach(async () => {
    await place.client.signOut();
    place.remove();
    await page.stop();
    await emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  });

  it('lists what its user holds, of all types, and nobody else’s (F32)', async () => {
    await claim('7');
    await claim('8', BEN);
    await claim('9', ANNA, 's', 'Invoice');
    await show();
    await shows('Order 7', 'Invoice 9');
    const [link, plain] = all('title');
    expect(link?.getAttribute('href')).to.equal('/orders/7');
    expect(plain?.localName).to.equal('bdi');
    expect(textOf('detail')).to.match(/^Since .+\. Free by .+ unless you continue\.$/);
    expect(one('detail').querySelectorAll('time[datetime]').length).to.equal(2);
  });

  it('says when there is nothing, and follows what happens elsewhere by the hub', async () => {
    await show({ types: 'Order' });
    await waitUntil(() => textOf('empty') === 'You are not editing any record.');
    await waitUntil(() => place.client.known('Order') !== null);
    await claim('7');
    await shows('Order 7');
    await claim('8');
    await shows('Order 7', 'Order 8');
    await page.call(ANNA, 'DELETE', '/locks/Order/7?sessionId=elsewhere');
    await shows('Order 8');
    await page.call(BEN, 'POST', '/locks/Order/8/take-over', { sessionId: 'b', fromHolderOid: 'anna' });
    await waitUntil(() => textOf('empty') !== '');
  });

  it('asks before it lets go, and on "no" does not', async () => {
    await claim('7');
    await show();
    await shows('Order 7');
    await clickOn(one('release'));
    await waitUntil(() => (one('dialog') as HTMLDialogElement).open);
    expect(one('dialog').querySelector('#question')?.textContent).to.match(
      /^Release Order 7\? If it is open in another window, what you typed there stays, but others can then edit/,
    );
    await answer('');
    expect(await isFree('7')).to.be.false;
    expect(titles()).to.deep.equal(['Order 7']);
    await clickOn(one('release'));
    await waitUntil(() => (one('dialog') as HTMLDialogElement).open);
    await sendKeys({ press: 'Escape' });
    expect(await isFree('7')).to.be.false;
  });

  it('lets go of every window’s session by keyboard alone, says so, and keeps the focus near', async () => {
    await claim('7', ANNA, 'one');
    await claim('7', ANNA, 'other');
    await claim('8');
    await show();
    await shows('Order 7', 'Order 8');
    one('title').focus();
    await sendKeys({ press: 'Tab' });
    expect(list.shadowRoot?.activeElement?.getAttribute('aria-label')).to.equal('Release Order 7');
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => (one('dialog') as HTMLDialogElement).open);
    await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Enter' });
    await shows('Order 8');
    expect(await isFree('7')).to.be.true;
    await waitUntil(() => textOf('status') === 'Order 7 is released.');
    expect(one('status').getAttribute('role')).to.equal('status');
    await waitUntil(() => list.shadowRoot?.activeElement?.getAttribute('aria-label') === 'Release Order 8');
  });

  it('a form that has the record open keeps its text, and does not claim again by itself', async () => {
    await show({}, html`<lock-guard entity-type="Order" entity-uid="7"><input value="typed" /></lock-guard>`);
    const guard = place.querySelector('lock-guard') as LockGuard;
    await waitUntil(() => guard.state === 'mine');
    await list.refresh();
    await shows('Order 7');
    await clickOn(one('release'));
    await answer('yes');
    await waitUntil(() => textOf('empty') !== '');
    expect(guard.state).to.equal('released');
    expect(guard.blocked).to.be.false;
    expect(guard.querySelector('input')?.value).to.equal('typed');
    expect(await isFree('7')).to.be.true;
  });

  it('lets go of all', async () => {
    for (const uid of ['7', '8', '9']) await claim(uid);
    await show();
    await shows('Order 7', 'Order 8', 'Order 9');
    await clickOn(one('release-all'));
    await waitUntil(() => /^Release all 3 records\?/.test(one('dialog').textContent.trim()));
    await answer('yes');
    await waitUntil(() => textOf('empty') !== '');
    await waitUntil(() => textOf('status') === '3 records are released.');
    expect((await Promise.all(['7', '8', '9'].map(isFree))).every(Boolean)).to.be.true;
    await waitUntil(() => list.shadowRoot?.activeElement?.getAttribute('part') === 'empty');
  });

  it('says when the server cannot tell, and tries again when asked', async () => {
    await claim('7');
    await show();
    await shows('Order 7');
    page.backend.stop();
    const { fetch: real } = globalThis;
    globalThis.fetch = () => Promise.reject(new TypeError('away'));
    await list.refresh();
    await waitUntil(() => /^Your locks cannot be shown now\./.test(textOf('error')));
    globalThis.fetch = real;
    await clickOn(one('retry'));
    await waitUntil(() => all('error').length === 0);
  });

  it('names records by a function, kept promises included, and never takes a uid for an address', async () => {
    await claim('7');
    await claim('javascript:alert(1)');
    await show();
    await shows('Order 7', 'Order javascript:alert(1)');
    expect(all('title')[1]?.getAttribute('href')).to.equal('/orders/javascript%3Aalert(1)');
    list.describe = ({ entityUid }) =>
      entityUid === '7' ? Promise.resolve({ title: 'Tyres for Oslo', href: '/o/7' }) : { title: 'Odd' };
    await shows('Tyres for Oslo', 'Odd');
    expect(one('title').getAttribute('href')).to.equal('/o/7');
    list.describe = () => Promise.reject(new Error('no'));
    await shows('Order 7', 'Order javascript:alert(1)');
  });

  for (const [lang, text] of [
    ['de', 'Sie bearbeiten keinen Datensatz.'],
    ['fr', 'Vous ne modifiez aucun enregistrement.'],
    ['es', 'No está editando ningún registro.'],
  ] as const) {
    it(`speaks ${lang}`, async () => {
      await show({ lang });
      await waitUntil(() => textOf('empty') === text);
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is clean for axe in a ${colorScheme} page: empty, full and asking`, async () => {
      await emulateMedia({ colorScheme });
      document.documentElement.style.cssText = 'color-scheme: light dark; background: Canvas';
      await show({ types: 'Order' });
      await waitUntil(() => textOf('empty') !== '');
      await expect(list).to.be.accessible();
      await claim('7');
      await claim('8');
      await shows('Order 7', 'Order 8');
      await expect(list).to.be.accessible();
      await clickOn(one('release'));
      await waitUntil(() => (one('dialog') as HTMLDialogElement).open);
      await expect(list).to.be.accessible();
      document.documentElement.style.cssText = '';
    });
  }
});
