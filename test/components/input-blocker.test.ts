import { expect, html } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { clickOn, nextDrawing, press, type } from './user-input.ts';

/** An application's custom element with an input in its shadow tree. */
class ShadowField extends HTMLElement {
  readonly input = document.createElement('input');

  connectedCallback(): void {
    if (this.shadowRoot === null)
      this.attachShadow({ mode: 'open', delegatesFocus: true }).append(this.input);
  }
}
customElements.define('shadow-field', ShadowField);

/** The same with a closed one: its insides cannot be seen from outside. */
class ClosedField extends HTMLElement {
  readonly box = Object.assign(document.createElement('input'), { type: 'checkbox' });

  connectedCallback(): void {
    this.attachShadow({ mode: 'closed', delegatesFocus: true }).append(this.box);
  }
}
customElements.define('closed-field', ClosedField);

const content = html`
  <div id="outside">
    <label for="box">outside label</label>
    <button id="outside-submit" form="form">outside submit</button>
    <button id="outside-reset" form="form" type="reset">outside reset</button>
    <button id="outside-popover" popovertarget="popover">outside popover</button>
    <button id="outside-command" commandfor="dialog" command="show-modal">outside command</button>
  </div>
  <lock-guard entity-type="Order" entity-uid="1">
    <form id="form" action="javascript:void 0">
      <input id="text" name="text" value="text" />
      <textarea id="area">area</textarea>
      <input id="box" type="checkbox" />
      <input type="radio" name="radio" id="radio" checked /><input type="radio" name="radio" id="radio2" />
      <input id="number" type="number" value="5" />
      <input id="range" type="range" value="50" />
      <input id="date" type="date" value="2026-01-15" />
      <input id="search" type="search" value="search" />
      <input id="listed" list="list" value="" /><datalist id="list"><option>one</option></datalist>
      <select id="select">
        <option>one</option>
        <option>two</option>
      </select>
      <label id="label" for="box">inside label</label>
      <button id="submit">Approve</button>
      <button id="button" type="button">Do</button>
      <div id="editable" contenteditable="true">editable</div>
      <shadow-field id="shadow"></shadow-field>
      <closed-field id="closed"></closed-field>
      <div id="widget" role="button" tabindex="0">widget</div>
      <a id="action" href="#">action</a>
      <a id="link" href="#elsewhere">link <b id="in-link">bold</b></a>
      <details id="details">
        <summary id="summary">more</summary>
        text
      </details>
      <div role="tab" id="tab" tabindex="0">tab</div>
      <div data-lock-allow><button id="allowed" type="button">History</button></div>
      <div id="popover" popover>popover</div>
      <dialog id="dialog"><input id="in-dialog" value="dialog" /></dialog>
    </form>
  </lock-guard>
`;

describe('blocking input', () => {
  let client: FakeLockClient;
  let page: HTMLElement;
  let guard: LockGuard;
  /** What the application heard. */
  let heard: string[];

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as querySelector
  const get = <T extends HTMLElement = HTMLInputElement>(id: string): T => {
    const element = page.querySelector<T>(`#${id}`);
    if (element === null) throw new Error(`There is no #${id}.`);
    return element;
  };

  const arrange = async (): Promise<void> => {
    client = new FakeLockClient();
    page = document.createElement('div');
    guard = await fixtureWith<LockGuard>(client, html`<div>${content}</div>`, page);
    guard = get<LockGuard>('form').closest('lock-guard') as LockGuard;
    heard = [];
    const types =
      'submit reset click input change beforeinput keydown keypress keyup paste cut drop command pointerdown contextmenu'.split(
        ' ',
      );
    for (const name of types) {
      get('form').addEventListener(name, (event) => {
        // The page may need these, and so they pass.
        if (event instanceof KeyboardEvent && /^(Escape|Tab|Control)$/.test(event.key)) return;
        heard.push(event.type);
      });
    }
    get('form').addEventListener('submit', (event) => event.preventDefault());
  };

  afterEach(() => {
    location.hash = '';
  });

  /** Held by somebody else from the start: `inert`. */
  const lockInert = async (): Promise<void> => {
    client.lease.become(heldBy('Anna'));
    // The banner takes its room.
    await nextDrawing();
  };
  /** Lost after it was open: `readonly`. */
  const lockReadonly = async (): Promise<void> => {
    client.lease.become(MINE);
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    await nextDrawing();
  };

  for (const [mode, lock] of [
    ['inert', lockInert],
    ['readonly', lockReadonly],
  ] as const) {
    describe(`while ${mode}`, () => {
      beforeEach(async () => {
        await arrange();
        await lock();
      });

      const values = (): unknown => [
        ...['text', 'area', 'number', 'range', 'date', 'search', 'listed', 'select', 'in-dialog'].map(
          (id) => get(id).value,
        ),
        ...['box', 'radio'].map((id) => get(id).checked),
        get('editable').textContent,
        get<ShadowField>('shadow').input.value,
        get<ClosedField>('closed').box.checked,
      ];

      it('neither the mouse nor the keyboard changes any field, and the application hears nothing (R1, F28)', async () => {
        const before = values();
        for (const id of [
          'text',
          'area',
          'box',
          'radio2',
          'date',
          'search',
          'select',
          'label',
          'submit',
          'button',
          'editable',
          'shadow',
          'closed',
          'widget',
          'action',
        ]) {
          await clickOn(get(id));
          await type('x');
          for (const key of ['Enter', 'Space', 'ArrowDown', 'ArrowUp', 'Backspace', 'Escape'])
            await press(key);
          expect(values(), id).to.deep.equal(before);
        }
        expect(heard).to.deep.equal([]);
        expect(location.hash).to.equal('');
      });

      it('a number cannot be spun and a slider not be dragged', async () => {
        const before = values();
        const { width, height } = get('number').getBoundingClientRect();
        for (const y of [height * 0.3, height * 0.7]) await clickOn(get('number'), { x: width - 8, y });
        for (const x of [4, get('range').offsetWidth - 4]) await clickOn(get('range'), { x });
        get('number').focus();
        await sendMouse({ type: 'move', position: [10, 10] });
        expect(values()).to.deep.equal(before);
        expect(heard).to.deep.equal([]);
      });

      it('a label outside does not toggle the box inside (R1)', async () => {
        await clickOn(page.querySelector('#outside label') ?? page);
        expect(get('box').checked).to.be.false;
      });

      it('buttons outside neither submit nor reset the form inside (R1, F28)', async () => {
        get('text').value = 'typed';
        await clickOn(get('outside-submit'));
        await clickOn(get('outside-reset'));
        get<HTMLFormElement>('form').requestSubmit();
        expect(heard).to.deep.equal([]);
        expect(get('text').value).to.equal('typed');
      });

      it('clicks made by script do nothing (R1)', () => {
        for (const id of ['box', 'submit', 'button', 'widget', 'action']) get(id).click();
        expect(heard).to.deep.equal([]);
        expect(get('box').checked).to.be.false;
      });

      it('popovers and dialogs inside do not open from outside (R1)', async () => {
        await clickOn(get('outside-popover'));
        await clickOn(get('outside-command'));
        expect(get('popover').matches(':popover-open')).to.be.false;
        expect(get<HTMLDialogElement>('dialog').open).to.be.false;
        get<HTMLDialogElement>('dialog').showModal();
        expect(get<HTMLDialogElement>('dialog').open).to.be.false;
      });

      it('links, summaries, tabs and what the application allows go on working (F28)', () => {
        const clicks: string[] = [];
        guard.addEventListener('click', (event) => clicks.push((event.target as Element).id));
        for (const id of ['link', 'in-link', 'summary', 'tab', 'allowed']) get(id).click();
        expect(clicks).to.deep.equal(['link', 'in-link', 'summary', 'tab', 'allowed']);
        expect(get<HTMLDetailsElement>('details').open).to.be.true;
        expect(location.hash).to.equal('#elsewhere');
      });

      it('values that a script fills in reach the listeners of the application', () => {
        get('text').dispatchEvent(new Event('input', { bubbles: true }));
        get('text').dispatchEvent(new Event('change', { bubbles: true }));
        expect(heard).to.deep.equal(['input', 'change']);
      });

      it('everything works again afterwards', async () => {
        client.lease.become({ ...MINE, stale: false });
        await nextDrawing();
        await clickOn(get('text'));
        await press('End');
        await type('!');
        await clickOn(get('box'));
        await clickOn(get('outside-submit'));
        expect(get('text').value).to.equal('text!');
        expect(get('box').checked).to.be.true;
        expect(heard).to.include.members(['beforeinput', 'input', 'change', 'click', 'submit']);
      });
    });
  }

  describe('while readonly', () => {
    beforeEach(async () => {
      await arrange();
      client.lease.become(MINE);
    });

    it('text can be focused, selected and copied, and the keyboard still moves (F34)', async () => {
      await lockReadonly();
      await clickOn(get('text'));
      expect(document.activeElement?.id).to.equal('text');
      let copied = '';
      page.addEventListener('copy', (event) => {
        copied = document.activeElement instanceof HTMLInputElement ? 'text' : '';
        event.preventDefault();
      });
      await press('Control+a');
      await press('Control+c');
      expect([get('text').selectionStart, get('text').selectionEnd]).to.deep.equal([0, 4]);
      expect(copied).to.equal('text');
      await press('Tab');
      expect(document.activeElement?.id).to.equal('area');
    });

    it('what is typed, cut, pasted or undone does not arrive (R1, F28)', async () => {
      get('text').focus();
      await press('End');
      await type(' typed');
      await lockReadonly();
      for (const key of ['Control+z', 'Control+a', 'Control+x', 'Control+v', 'Delete']) await press(key);
      await type('x');
      expect(get('text').value).to.equal('text typed');
      get('editable').focus();
      await type('x');
      await press('Control+b');
      await press('Control+z');
      expect(get('editable').innerHTML).to.equal('editable');
      expect(get('text').value).to.equal('text typed');
    });

    it('Escape does not clear a search field, but still reaches the page', async () => {
      await lockReadonly();
      const keys: string[] = [];
      page.addEventListener('keydown', ({ key }) => keys.push(key));
      get('search').focus();
      await press('Escape');
      expect(get('search').value).to.equal('search');
      get('text').focus();
      await press('Escape');
      await press('Tab');
      expect(keys).to.deep.equal(['Escape', 'Tab']);
    });

    it('shortcuts that are handled inside do not run (F28)', async () => {
      await lockReadonly();
      get('text').focus();
      await press('Control+s');
      await press('Control+Enter');
      expect(heard).to.deep.equal([]);
    });

    it('Enter in a field does not submit (F28)', async () => {
      await lockReadonly();
      get('text').focus();
      await press('Enter');
      expect(heard).to.deep.equal([]);
    });

    it('typing into a dialog that was open already does not arrive (R2)', async () => {
      get<HTMLDialogElement>('dialog').showModal();
      await clickOn(get('in-dialog'));
      await type('a');
      const typed = get('in-dialog').value;
      await lockReadonly();
      await type('b');
      await clickOn(get('in-dialog'));
      await type('c');
      expect(get('in-dialog').value).to.equal(typed);
      get<HTMLDialogElement>('dialog').close();
    });

    it('a dirty field does not fire change when it is left, so that nothing is saved (R3)', async () => {
      get('text').focus();
      await type('dirty');
      heard = [];
      await lockReadonly();
      await press('Tab');
      get('text').blur();
      await nextDrawing();
      expect(heard).to.deep.equal([]);
    });

    it('what is dropped does not arrive (R1, F28)', async () => {
      await lockReadonly();
      const transfer = new DataTransfer();
      transfer.setData('text/plain', 'dropped');
      const drop = new DragEvent('drop', {
        bubbles: true,
        cancelable: true,
        composed: true,
        dataTransfer: transfer,
      });
      get('text').dispatchEvent(drop);
      expect(drop.defaultPrevented).to.be.true;
      expect(heard).to.deep.equal([]);
    });

    it('the form may be reset while the application loads it anew, and not otherwise', async () => {
      get('text').value = 'typed';
      guard.addEventListener('lock-reload', (event) => event.waitUntil(new Promise(() => {})));
      client.lease.become({ stale: true });
      get<HTMLFormElement>('form').reset();
      expect(get('text').value).to.equal('typed');
      guard.reload();
      get<HTMLFormElement>('form').reset();
      expect(get('text').value).to.equal('text');
      await nextDrawing();
    });

    it('the fields stay in the accessibility tree, as a disabled group that says why (R5, F34)', async () => {
      await lockReadonly();
      const body = guard.shadowRoot?.querySelector('[part=body]');
      expect(body?.role).to.equal('group');
      expect(body?.ariaDisabled).to.equal('true');
      expect(body?.ariaLabel).to.contain('Ben');
      client.lease.become({ ...MINE, stale: false });
      expect(body?.getAttributeNames()).to.deep.equal(['part']);
    });
  });

  describe('while inert', () => {
    beforeEach(arrange);

    it('a modal dialog that was open already is inert, and not afterwards (R2)', async () => {
      const dialog = get<HTMLDialogElement>('dialog');
      guard.entityUid = '';
      await guard.updateComplete;
      dialog.showModal();
      // The record comes to be known while the dialog is open.
      guard.entityUid = '2';
      await guard.updateComplete;
      expect(dialog.inert).to.be.true;
      await clickOn(get('in-dialog'));
      await type('x');
      expect(get('in-dialog').value).to.equal('dialog');
      client.lease.become(MINE);
      expect(dialog.inert).to.be.false;
      dialog.close();
    });

    it('an inert attribute of the application’s own stays (R6)', async () => {
      get('area').inert = true;
      await lockInert();
      client.lease.become(MINE);
      expect(get('area').inert).to.be.true;
    });
  });

  it('lets the banner be used, and an application’s own one', async () => {
    await arrange();
    const own = document.createElement('button');
    own.slot = 'banner';
    own.textContent = 'Ask Anna';
    guard.append(own);
    await lockInert();
    let clicks = 0;
    own.addEventListener('click', () => (clicks += 1));
    await clickOn(own);
    expect(clicks).to.equal(1);
  });

  it('keeps an outer lock when an inner one ends (R7)', async () => {
    client = new FakeLockClient();
    const outer = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1">
        <lock-guard entity-type="Line" entity-uid="9"><input id="inner" value="inner" /></lock-guard>
      </lock-guard>`,
    );
    page = outer.parentElement ?? outer;
    for (const lease of client.leases.values()) lease.become(heldBy('Anna'));
    client.leases.get('Line/9')?.become(MINE);
    await nextDrawing();
    await clickOn(get('inner'));
    await type('x');
    expect(get('inner').value).to.equal('inner');
    client.leases.get('Line/9')?.become(heldBy('Anna'));
    client.leases.get('Order/1')?.become(MINE);
    await nextDrawing();
    await clickOn(get('inner'));
    await type('x');
    expect(get('inner').value).to.equal('inner');
    client.leases.get('Line/9')?.become(MINE);
    await nextDrawing();
    await clickOn(get('inner'));
    await type('x');
    expect(get('inner').value).to.contain('x');
  });
});
