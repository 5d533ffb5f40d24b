import { expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { axeFindings } from './axe-findings.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';
import { bannerOf, showState, shownStates, type ShownState } from './shown-states.ts';
import { nextDrawing } from './user-input.ts';

const arrange = async (state: ShownState, parent: HTMLElement): Promise<LockGuard> => {
  const client = new FakeLockClient();
  const { blocking = 'inert', claim = 'open' } = state.settings ?? {};
  const guard = await fixtureWith<LockGuard>(
    client,
    html`<lock-guard
      id=${state.name.replace(/\W+/g, '-')}
      entity-type="Order"
      entity-uid="1"
      blocking=${blocking}
      claim=${claim}
    >
      <form aria-label=${state.name}>
        <label>Title <input name="title" value="A title" /></label>
        <label><input type="checkbox" checked /> Urgent</label>
        <button>Approve</button>
      </form>
    </lock-guard>`,
    parent,
  );
  await showState(state, guard, client);
  return guard;
};

const SCHEMES = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
] as const;

describe('axe finds nothing (R8, R16)', () => {
  for (const [scheme, media] of SCHEMES) {
    describe(`in ${scheme}`, () => {
      let page: HTMLElement;

      beforeEach(async () => {
        await emulateMedia(media);
        document.documentElement.lang = 'en';
        document.documentElement.style.colorScheme = 'light dark';
        document.documentElement.style.background = 'Canvas';
        page = document.createElement('main');
        document.body.append(page);
      });
      afterEach(async () => {
        page.remove();
        document.documentElement.removeAttribute('style');
        await emulateMedia({ colorScheme: 'light' });
        await emulateMedia({ forcedColors: 'none' });
      });
      const newPlace = (): HTMLElement => page.appendChild(document.createElement('div'));

      it('in any state', async () => {
        const states = shownStates().filter(({ asks }) => asks !== true);
        await Promise.all(states.map((state) => arrange(state, newPlace())));
        expect(await axeFindings(page)).to.deep.equal([]);
      });

      it('in the question before taking over', async () => {
        for (const state of shownStates().filter(({ asks }) => asks === true)) {
          const guard = await arrange(state, newPlace());
          await nextDrawing();
          expect(await axeFindings(bannerOf(guard))).to.deep.equal([]);
        }
      });

      it('in a grid with rows that are free, one’s own and locked', async () => {
        const client = new FakeLockClient();
        const table = await fixtureWith<HTMLTableElement>(
          client,
          html`<table>
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
          newPlace(),
        );
        client.tell('1', 'Anna');
        client.tell('2', 'Me', true);
        expect(table.querySelectorAll('[data-locked-by]').length).to.equal(2);
        expect(await axeFindings(table)).to.deep.equal([]);
      });
    });
  }
});
