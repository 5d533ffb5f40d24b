import { expect, html, oneEvent } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, MINE } from './fake-lock-client.ts';
import { bannerOf, partOf, showState, shownStates, type ShownState } from './shown-states.ts';
import { nextDrawing, press } from './user-input.ts';

/** What the Tab key reaches, in this order, from a field before the guard to one behind it. */
const STOPS: Readonly<Record<string, readonly string[]>> = {
  idle: ['Title', 'Approve'],
  claiming: [],
  mine: ['Title', 'Approve'],
  held: [],
  'held, take-over allowed': ['Take over'],
  'held, readonly': ['Title', 'Approve'],
  free: ['Edit'],
  lost: ['Take over', 'Title', 'Approve'],
  changed: ['Reload'],
  'changed by somebody': ['Reload', 'Title', 'Approve'],
  deleted: ['Reload', 'Title', 'Approve'],
  loadFailed: ['Reload'],
  reconnecting: ['Title', 'Approve'],
  otherWindow: ['Title', 'Approve'],
  unknown: ['Title', 'Approve'],
  error: ['Title', 'Approve'],
  released: ['Edit', 'Title', 'Approve'],
};

/** The focused element, however deep. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}
const nameOf = (element: HTMLElement | null): string =>
  element?.ariaLabel ?? element?.textContent.trim() ?? '';

describe('by keyboard alone (R9)', () => {
  let client: FakeLockClient;
  let guard: LockGuard;

  const arrange = async (state: ShownState): Promise<void> => {
    client = new FakeLockClient();
    const { blocking = 'inert', claim = 'open' } = state.settings ?? {};
    const page = await fixtureWith<HTMLElement>(
      client,
      html`<div lang="en">
        <button>before</button>
        <lock-guard entity-type="Order" entity-uid="1" blocking=${blocking} claim=${claim}>
          <input aria-label="Title" /><button>Approve</button>
        </lock-guard>
        <button>behind</button>
      </div>`,
    );
    guard = page.querySelector('lock-guard') as LockGuard;
    await showState(state, guard, client);
    await nextDrawing();
    page.querySelector('button')?.focus();
  };
  const named = (wanted: string): ShownState => {
    const state = shownStates().find(({ name }) => name === wanted);
    if (state === undefined) throw new Error(`No state is called ${wanted}.`);
    return state;
  };

  for (const state of shownStates().filter(({ asks }) => asks !== true)) {
    it(`everything that works is reached, and its focus is seen, while ${state.name}`, async () => {
      await arrange(state);
      const stops: string[] = [];
      for (let steps = 0; steps < 9 && nameOf(focused()) !== 'behind'; steps += 1) {
        await press('Tab');
        const element = focused();
        if (element === null) break;
        stops.push(nameOf(element));
        expect(getComputedStyle(element).outlineStyle, nameOf(element)).not.to.equal('none');
      }
      expect(stops).to.deep.equal([...(STOPS[state.name] ?? []), 'behind']);
    });
  }

  for (const key of ['Enter', 'Space']) {
    it(`${key} works the buttons`, async () => {
      await arrange(named('released'));
      await press('Tab');
      await press(key);
      expect(client.lease.calls).to.deep.equal(['claim', 'claim']);
      await arrange(named('changed'));
      await press('Tab');
      guard.addEventListener('lock-reload', (event) => event.preventDefault());
      const reload = oneEvent(guard, 'lock-reload');
      await press(key);
      await reload;
    });
  }

  it('the question begins at Cancel, keeps the focus, and gives it back on Escape', async () => {
    await arrange(named('held, take-over allowed'));
    await press('Tab');
    const opener = focused();
    await press('Enter');
    const dialog = partOf(guard, 'dialog') as HTMLDialogElement;
    expect(dialog.open).to.be.true;
    const order = [nameOf(focused())];
    for (let step = 0; step < 3; step += 1) {
      await press('Tab');
      order.push(focused() === null || focused() === document.body ? '' : nameOf(focused()));
    }
    // Behind the last button the browser's own controls follow, never the page.
    expect(order.filter((name) => name !== '')).to.have.members(['Cancel', 'Take over', 'Cancel']);
    await press('Escape');
    expect(dialog.open).to.be.false;
    expect(focused() === opener, 'the focus is back').to.be.true;
    expect(client.lease.calls, 'and nothing was taken').to.deep.equal(['claim']);
  });

  it('Cancel gives the focus back as well, and taking over moves it into the form', async () => {
    await arrange(named('held, take-over allowed'));
    await press('Tab');
    const opener = focused();
    await press('Enter');
    await press('Enter');
    expect(focused() === opener).to.be.true;
    await press('Enter');
    await press('Tab');
    await press('Space');
    expect(client.lease.calls).to.deep.equal(['claim', 'takeOver']);
    client.lease.become({ ...MINE, canTakeOver: false });
    await bannerOf(guard).updateComplete;
    await nextDrawing();
    expect(nameOf(focused())).to.equal('Title');
  });

  it('the focus stays where the person is working, whatever the banner has to say', async () => {
    await arrange(named('mine'));
    const outside = focused();
    for (const state of shownStates().filter(({ asks, failsToLoad }) => !asks && !failsToLoad)) {
      for (const view of state.views) {
        client.lease.become(view);
        await bannerOf(guard).updateComplete;
        expect(focused() === outside, state.name).to.be.true;
      }
    }
  });
});
