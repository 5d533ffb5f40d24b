import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { TemplateResult } from 'lit';
import '../../components/define.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import type { LockProvider } from '../../components/lock-provider.ts';
import type { MockUser } from '../../mocks/index.ts';
import { ANNA, BEN, MockedPage } from './mocks/mocked-page.ts';
import { nextEvent } from './next-event.ts';
import { clickOn, type } from './user-input.ts';

/** Two people side by side on one page: the real client, and the backend that decides as the server does. */
describe('two users', () => {
  let page: MockedPage;
  let sides: HTMLElement;

  const side = ({ oid, token }: MockUser, content: TemplateResult): TemplateResult =>
    html`<lock-provider id=${oid} .config=${{ getToken: () => token }}>${content}</lock-provider>`;
  const order = html`<lock-guard lang="en" entity-type="Order" entity-uid="1"
    ><input value="order"
  /></lock-guard>`;
  const of = <K extends 'lock-guard' | 'locked-by-cell' | 'lock-banner'>(
    user: MockUser,
    tag: K,
  ): HTMLElementTagNameMap[K] => sides.querySelector(`#${user.oid} ${tag}`) as HTMLElementTagNameMap[K];
  const guardOf = (user: MockUser): LockGuard => of(user, 'lock-guard');
  const becomes = async (user: MockUser, state: string): Promise<void> => {
    const guard = guardOf(user);
    while (guard.state !== state) await nextEvent(guard, 'lock-statechange');
  };
  const bannerText = (user: MockUser): string => {
    const banner = guardOf(user).shadowRoot?.querySelector('lock-banner') as LockBanner;
    return (banner.shadowRoot?.querySelector('[part=text]')?.textContent ?? '').replace(/\s+/g, ' ').trim();
  };
  const arrange = async (...content: readonly TemplateResult[]): Promise<void> => {
    sides = await fixture<HTMLElement>(html`<div>${content}</div>`);
  };

  beforeEach(async () => {
    page = await MockedPage.start();
  });
  afterEach(async () => {
    // Whatever is still open would call a backend that is gone.
    await Promise.all(
      [...sides.querySelectorAll<LockProvider>('lock-provider')].map(({ client }) => client.signOut()),
    );
    await page.stop();
  });

  it('the second one is told who has it, waits, and is let in when it becomes free', async () => {
    await arrange(side(ANNA, order), side(BEN, html`<i></i>`));
    await becomes(ANNA, 'mine');
    const provider = sides.querySelector('#ben') as LockProvider;
    const late = document.createElement('lock-guard');
    Object.assign(late, {
      lang: 'en',
      entityType: 'Order',
      entityUid: '1',
      innerHTML: '<input value="order">',
    });
    provider.append(late);
    await becomes(BEN, 'held');
    await waitUntil(() => bannerText(BEN) === 'Anna is editing this record.');
    await guardOf(ANNA).release();
    await becomes(BEN, 'mine');
    // Anna was there meanwhile, and changed nothing that anybody heard of.
    await waitUntil(() => !guardOf(BEN).blocked);
    expect(bannerText(BEN)).to.equal('You are editing this record.');
  });

  it('does not open on data that was changed meanwhile, until it is loaded anew', async () => {
    await arrange(side(ANNA, order));
    await becomes(ANNA, 'mine');
    const ben = document.createElement('div');
    sides.append(ben);
    const { render } = await import('lit');
    render(side(BEN, order), ben);
    await becomes(BEN, 'held');
    await page.backend.publish('acme', {
      entityType: 'Order',
      entityUid: '1',
      operation: 'Updated',
      by: { oid: 'anna', name: 'Anna', kind: 'user' },
    });
    await guardOf(ANNA).release();
    await becomes(BEN, 'mine');
    expect(guardOf(BEN).blocked).to.be.true;
    await waitUntil(() => bannerText(BEN) === 'This record has changed since you opened it.');
    guardOf(BEN).addEventListener('lock-reload', (event) => event.waitUntil(Promise.resolve()));
    guardOf(BEN).reload();
    await waitUntil(() => !guardOf(BEN).blocked);
  });

  it('one takes over; the other keeps the text, and hears who it was', async () => {
    await arrange(side(ANNA, order));
    await becomes(ANNA, 'mine');
    const input = guardOf(ANNA).querySelector('input');
    input?.select();
    await type('typed');
    const { render } = await import('lit');
    const ben = document.createElement('div');
    sides.append(ben);
    render(side(BEN, order), ben);
    await becomes(BEN, 'held');
    const lost = nextEvent(guardOf(ANNA), 'lock-lost');
    const banner = guardOf(BEN).shadowRoot?.querySelector('lock-banner') as LockBanner;
    await waitUntil(() => banner.shadowRoot?.querySelector('[part=take-over]'));
    await clickOn(banner.shadowRoot?.querySelector('[part=take-over]') ?? banner);
    await clickOn(banner.shadowRoot?.querySelector('dialog button[value=yes]') ?? banner);
    expect((await lost).lock?.holderName).to.equal('Ben');
    await becomes(BEN, 'mine');
    await waitUntil(() => bannerText(ANNA) === 'Ben took over this record.');
    await clickOn(input ?? sides);
    await type('more');
    expect(input?.value).to.equal('typed');
  });

  it('a grid shows each of them who has what', async () => {
    const cell = html`<table lang="en">
      <tr>
        <td>Order 1</td>
        <td><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></td>
      </tr>
    </table>`;
    await arrange(side(ANNA, html`${order}${cell}`), side(BEN, cell));
    const nameFor = (user: MockUser): string => of(user, 'locked-by-cell').shadowRoot?.textContent ?? '';
    await waitUntil(() => nameFor(ANNA) === 'You' && nameFor(BEN) === 'Anna');
    await guardOf(ANNA).release();
    await waitUntil(() => nameFor(ANNA) === '' && nameFor(BEN) === '');
  });

  it('a type that nobody marked is loud, and editable', async () => {
    await arrange(
      side(ANNA, html`<lock-guard lang="en" entity-type="Unheard" entity-uid="1"><input /></lock-guard>`),
    );
    await becomes(ANNA, 'error');
    expect(guardOf(ANNA).blocked).to.be.false;
    await waitUntil(() => bannerText(ANNA) === 'Locking is not available.');
  });
});
