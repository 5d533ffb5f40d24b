import { expect, html } from '@open-wc/testing';
import { a11ySnapshot } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { clickOn, nextDrawing, press } from './user-input.ts';

/** Chromium's find-in-page, as far as a script may use it. */
declare function find(
  text: string,
  isCaseSensitive?: boolean,
  isBackwards?: boolean,
  wraps?: boolean,
): boolean;

describe('a form that is blocked as readonly', () => {
  let client: FakeLockClient;
  let guard: LockGuard;
  let heard: string[];

  const get = (id: string): HTMLElement => guard.querySelector(`#${id}`) as HTMLElement;

  const arrange = async (blocking: string): Promise<void> => {
    client = new FakeLockClient();
    guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard id="guard" lang="en" entity-type="Order" entity-uid="1" blocking=${blocking}>
        <p id="paragraph">Paragraph of prose</p>
        <label>Title <input id="title" value="Title of order" /></label>
        <label>Text <textarea id="text">Text of order</textarea></label>
        <label
          >State
          <select id="state">
            <option>Waiting state</option>
          </select></label
        >
        <label><input type="checkbox" checked /> Urgent</label>
        <div id="notes" contenteditable="true" role="textbox" aria-label="Notes">Noted text</div>
        <a id="link" href="#target">link</a>
        <details id="details">
          <summary id="summary">More</summary>
          Hidden
        </details>
        <div role="tablist"><div id="tab" role="tab" tabindex="0">History</div></div>
        <div data-lock-allow>
          <button id="allowed" type="button">Print</button><input id="filter" aria-label="Filter" />
        </div>
      </lock-guard>`,
    );
    heard = [];
    for (const name of ['click', 'keydown', 'input']) {
      guard.addEventListener(name, ({ type, target }) => heard.push(`${type} ${(target as Element).id}`));
    }
  };
  const isFound = (text: string): boolean => {
    getSelection()?.removeAllRanges();
    return find(text, false, false, true);
  };

  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'held, blocking="readonly"': async () => {
      await arrange('readonly');
      client.lease.become(heldBy('Anna'));
      await nextDrawing();
    },
    'lost, blocking="inert"': async () => {
      await arrange('inert');
      client.lease.become(MINE);
      client.lease.become({ state: 'lost', lock: lockOf('Ben') });
      await nextDrawing();
    },
  };
  for (const [name, shut] of Object.entries(ways)) {
    describe(name, () => {
      beforeEach(shut);
      afterEach(() => {
        location.hash = '';
        getSelection()?.removeAllRanges();
      });

      it('has every value in the accessibility tree (F34, R5)', async () => {
        // Its typing knows no answer.
        const tree = await (a11ySnapshot as (payload: object) => Promise<unknown>)({ selector: '#guard' });
        const text = JSON.stringify(tree);
        for (const value of ['Title of order', 'Text of order', 'Waiting state', 'Urgent', 'Noted text']) {
          expect(text).to.contain(value);
        }
        expect(text).to.match(/"checked":"?true/);
      });

      it('is found by the page search (F34)', () => {
        for (const value of ['Paragraph of prose', 'Title of order', 'Text of order', 'Noted text']) {
          expect(isFound(value), value).to.be.true;
        }
      });

      it('can be selected and copied (F34)', async () => {
        const copied: string[] = [];
        const note = (): void => {
          const { activeElement } = document;
          const isField =
            activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
          copied.push(
            isField
              ? activeElement.value.slice(activeElement.selectionStart ?? 0, activeElement.selectionEnd ?? 0)
              : String(getSelection()),
          );
        };
        document.addEventListener('copy', note);
        for (const id of ['title', 'text', 'notes']) {
          await clickOn(get(id));
          await press('Control+a');
          await press('Control+c');
        }
        getSelection()?.selectAllChildren(get('paragraph'));
        await press('Control+c');
        document.removeEventListener('copy', note);
        expect(copied).to.deep.equal(['Title of order', 'Text of order', 'Noted text', 'Paragraph of prose']);
      });

      it('links, summaries, tabs and what is allowed work by mouse (F28)', async () => {
        for (const id of ['link', 'summary', 'tab', 'allowed']) await clickOn(get(id));
        expect(location.hash).to.equal('#target');
        expect((get('details') as HTMLDetailsElement).open).to.be.true;
        expect(heard.filter((event) => event.startsWith('click'))).to.deep.equal(
          ['link', 'summary', 'tab', 'allowed'].map((id) => `click ${id}`),
        );
      });

      it('links, summaries, tabs and what is allowed work by keyboard (F28)', async () => {
        for (const id of ['link', 'summary', 'tab', 'allowed']) {
          get(id).focus();
          await press('Enter');
        }
        get('filter').focus();
        await press('a');
        expect(location.hash).to.equal('#target');
        expect((get('details') as HTMLDetailsElement).open).to.be.true;
        expect((get('filter') as HTMLInputElement).value).to.equal('a');
        expect(heard).to.include.members(['keydown tab', 'click allowed', 'input filter']);
      });
    });
  }

  it('would not be found, read or reached while inert', async () => {
    await arrange('inert');
    client.lease.become(heldBy('Anna'));
    await nextDrawing();
    expect(isFound('Paragraph of prose')).to.be.false;
    expect(isFound('Title of order')).to.be.false;
    await clickOn(get('allowed'));
    expect(heard).not.to.include('click allowed');
  });

  it('is inert for any other word than readonly, also where a framework takes the attribute away', async () => {
    await arrange('Inert!');
    client.lease.become(heldBy('Anna'));
    const body = guard.shadowRoot?.querySelector<HTMLElement>('[part=body]');
    expect(body?.inert).to.be.true;
    guard.removeAttribute('blocking');
    await guard.updateComplete;
    expect(body?.inert).to.be.true;
    guard.blocking = 'readonly';
    await guard.updateComplete;
    expect([body?.inert, body?.ariaDisabled]).to.deep.equal([false, 'true']);
  });
});
