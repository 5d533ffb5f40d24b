import { expect, html } from '@open-wc/testing';
import { a11ySnapshot, emulateMedia } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LeaseView } from '../../components/client/index.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { nextDrawing } from './user-input.ts';

interface Node {
  readonly role: string;
  readonly name: string;
  readonly value?: unknown;
  readonly children?: readonly Node[];
}

describe('accessibility', () => {
  let client: FakeLockClient;
  let guard: LockGuard;

  const arrange = async (): Promise<void> => {
    client = new FakeLockClient();
    guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard id="guard" lang="en" entity-type="Order" entity-uid="1">
        <form aria-label="Order">
          <label>Title <input name="title" value="A title" /></label>
          <label><input type="checkbox" checked /> Urgent</label>
          <button>Approve</button>
        </form>
      </lock-guard>`,
    );
  };
  const bannerOf = (): LockBanner => guard.shadowRoot?.querySelector('lock-banner') as LockBanner;
  const become = async (...views: readonly Partial<LeaseView>[]): Promise<void> => {
    for (const view of views) client.lease.become(view);
    await bannerOf().updateComplete;
    await nextDrawing();
  };

  const states: readonly (readonly [string, ...Partial<LeaseView>[]])[] = [
    ['claiming'],
    ['mine', MINE],
    ['held', heldBy('Anna', { canTakeOver: true })],
    ['lost', MINE, { state: 'lost', lock: lockOf('Ben'), canTakeOver: true }],
    ['old data', MINE, { stale: true }],
    ['another window', { ...MINE, otherSessions: 1 }],
    ['unknown', { state: 'unknown' }],
    ['error', { state: 'error', error: { code: 'type-not-lockable', message: 'Order?' } }],
    ['released', MINE, { state: 'released' }],
  ];
  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`in a ${colorScheme} page`, () => {
      beforeEach(async () => {
        await emulateMedia({ colorScheme });
        document.documentElement.style.colorScheme = 'light dark';
        document.documentElement.style.background = 'Canvas';
      });
      afterEach(async () => {
        await emulateMedia({ colorScheme: 'light' });
        document.documentElement.removeAttribute('style');
      });

      for (const [name, ...views] of states) {
        it(`axe finds nothing while ${name}`, async () => {
          await arrange();
          await become(...views);
          await expect(guard).to.be.accessible();
        });
      }

      it('axe finds nothing in the question before taking over', async () => {
        await arrange();
        await become(heldBy('Anna', { canTakeOver: true }));
        bannerOf().shadowRoot?.querySelector<HTMLElement>('[part=take-over]')?.click();
        await nextDrawing();
        await expect(bannerOf()).to.be.accessible();
      });

      it('axe finds nothing in a grid with locked rows', async () => {
        client = new FakeLockClient();
        const table = await fixtureWith<HTMLTableElement>(
          client,
          html`<table lang="en">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Locked by</th>
              </tr>
            </thead>
            <tbody>
              ${['1', '2', '3'].map(
                (uid) =>
                  html`<tr>
                    <td>${uid}</td>
                    <td><locked-by-cell entity-type="Order" entity-uid=${uid}></locked-by-cell></td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
        );
        client.tell('1', 'Anna');
        client.tell('2', 'Me', true);
        await expect(table).to.be.accessible();
      });
    });
  }

  const nodesOf = async (): Promise<readonly Node[]> => {
    const flat = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(flat)];
    // Its typing knows no answer.
    const snapshot: unknown = await (a11ySnapshot as (payload: object) => Promise<unknown>)({
      selector: '#guard',
    });
    return flat(snapshot as Node);
  };

  it('keeps every value where assistive technology finds it while readonly, and says why it is disabled', async () => {
    await arrange();
    await become(MINE, { state: 'lost', lock: lockOf('Ben') });
    const nodes = await nodesOf();
    const group = nodes.find(({ role }) => role === 'group');
    expect(group?.name).to.equal('\u2068Ben\u2069 took over this record.');
    expect(nodes.find(({ role }) => role === 'textbox')).to.include({
      name: 'Title',
      value: 'A title',
      disabled: true,
    });
    expect(nodes.find(({ role }) => role === 'checkbox')).to.include({ name: 'Urgent', checked: 'true' });
    const status = nodes.find(({ role }) => role === 'status');
    expect(JSON.stringify(status)).to.contain('Ben').and.to.contain('took over this record.');
  });

  it('takes the form out of the tree while inert, the banner stays', async () => {
    await arrange();
    await become(heldBy('Anna'));
    const nodes = await nodesOf();
    expect(nodes.some(({ role }) => role === 'textbox')).to.be.false;
    expect(JSON.stringify(nodes)).to.contain('is editing this record.');
  });
});
