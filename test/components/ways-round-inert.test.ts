import { expect, html } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { clickOn, nextDrawing, press, type } from './user-input.ts';

const HEARD =
  'submit reset click input change beforeinput keydown keypress keyup paste cut drop command dragstart'.split(
    ' ',
  );

let heard: string[] = [];
const hear = (target: EventTarget): void => {
  for (const name of HEARD) {
    target.addEventListener(name, (event) => {
      // The page may need these keys, and so they pass.
      if (event instanceof KeyboardEvent && /^(Escape|Tab|Control|Alt)$/.test(event.key)) return;
      heard.push(event.type);
    });
  }
};

/** An application's element that has a form of its own in its shadow tree, and listens there. */
class DeepField extends HTMLElement {
  readonly root = this.attachShadow({ mode: 'open', delegatesFocus: true });

  connectedCallback(): void {
    if (this.root.firstChild !== null) return;
    this.root.innerHTML = '<form><input value="deep"><button>Go</button></form>';
    this.root.addEventListener('submit', (event) => event.preventDefault());
    hear(this.root);
  }
}
customElements.define('deep-field', DeepField);

/** One within another. */
class DeeperField extends HTMLElement {
  readonly root = this.attachShadow({ mode: 'open', delegatesFocus: true });

  connectedCallback(): void {
    if (this.root.firstChild === null) this.root.append(document.createElement('deep-field'));
  }

  get input(): HTMLInputElement {
    return this.root.querySelector<DeepField>('deep-field')?.root.querySelector('input') as HTMLInputElement;
  }
}
customElements.define('deeper-field', DeeperField);

/** A switch of the application's own that takes part in its form. */
class FormSwitch extends HTMLElement {
  static readonly formAssociated = true;
  readonly #internals = this.attachInternals();
  isOn = false;

  constructor() {
    super();
    this.addEventListener('click', () => this.#set(!this.isOn));
    this.addEventListener('keydown', ({ key }) => key === ' ' && this.#set(!this.isOn));
  }

  formResetCallback(): void {
    this.#set(true);
  }

  #set(isOn: boolean): void {
    this.isOn = isOn;
    this.#internals.setFormValue(isOn ? 'on' : 'off');
  }
}
customElements.define('form-switch', FormSwitch);

const content = html`
  <div id="outside">
    <button id="before" type="button">before</button>
    <label id="outside-label" for="box">outside label</label>
    <label id="switch-label" for="switch">outside label of a switch</label>
    <button id="outside-submit" form="form">outside submit</button>
    <button id="outside-reset" form="form" type="reset">outside reset</button>
    <button id="outside-popover" popovertarget="popover">outside popover</button>
    <button id="outside-dialog" commandfor="dialog" command="show-modal">outside dialog</button>
    <button id="outside-command" commandfor="form" command="--archive">outside command</button>
    <input id="source" value="pasted" />
    <div id="dragged" draggable="true">dragged</div>
  </div>
  <lock-guard entity-type="Order" entity-uid=""
    ><form id="form" action="javascript:void 0">
      <input id="text" value="text" />
      <textarea id="area">area</textarea>
      <input id="box" type="checkbox" />
      <button id="button" type="button">Do</button>
      <button id="submit">Approve</button>
      <div id="editable" contenteditable="true">editable</div>
      <form-switch id="switch" tabindex="0">switch</form-switch>
      <deep-field id="deep"></deep-field>
      <deeper-field id="deeper"></deeper-field>
      <div id="later"></div>
      <div id="popover" popover="manual"><button id="in-popover" type="button">In it</button></div>
      <dialog id="dialog">
        <input id="in-dialog" value="dialog" /><input id="box-in-dialog" type="checkbox" />
      </dialog></form
  ></lock-guard>
`;

let client: FakeLockClient;
let page: HTMLElement;
let guard: LockGuard;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as querySelector
const get = <T extends HTMLElement = HTMLInputElement>(id: string): T => {
  const element = page.querySelector<T>(`#${id}`);
  if (element === null) throw new Error(`There is no #${id}.`);
  return element;
};

/** Everything that somebody could have changed. */
const contents = () => ({
  values: ['text', 'area', 'in-dialog'].map((id) => get(id).value),
  checked: ['box', 'box-in-dialog'].map((id) => get(id).checked),
  editable: get('editable').innerHTML,
  isOn: get<FormSwitch>('switch').isOn,
  deep: [get<DeepField>('deep').root.querySelector('input')?.value, get<DeeperField>('deeper').input.value],
  later: [...get('later').querySelectorAll('input')].map(({ value }) => value),
  open: [get('popover').matches(':popover-open'), get<HTMLDialogElement>('dialog').open],
});

/** A person, or a script outside, tries to change or to send something; `prepare` happens while the form is open. */
interface Way {
  readonly name: string;
  readonly prepare?: () => unknown;
  readonly act: () => unknown;
}

const ways: readonly Way[] = [
  { name: 'the mouse on a box', act: () => clickOn(get('box')) },
  {
    name: 'typing where the mouse has clicked',
    act: async () => {
      await clickOn(get('text'));
      await type('x');
    },
  },
  {
    name: 'typing where Tab leads',
    act: async () => {
      get('dragged').tabIndex = 0;
      get('dragged').focus();
      await press('Tab');
      await type('x');
    },
  },
  { name: 'Enter in a field', prepare: () => get('text').focus(), act: () => press('Enter') },
  {
    name: 'typing on in the field that has the focus',
    prepare: () => get('area').focus(),
    act: () => type('x'),
  },
  {
    name: 'typing into an editable text',
    prepare: () => get('editable').focus(),
    act: async () => {
      await type('x');
      await press('Control+b');
    },
  },
  { name: 'a label outside', act: () => clickOn(get('outside-label')) },
  { name: 'a label outside, of a custom element', act: () => clickOn(get('switch-label')) },
  { name: 'a submit button outside', act: () => clickOn(get('outside-submit')) },
  {
    name: 'a reset button outside',
    prepare: () => (get('text').value = 'typed'),
    act: () => clickOn(get('outside-reset')),
  },
  { name: 'requestSubmit()', act: () => get<HTMLFormElement>('form').requestSubmit() },
  { name: 'click() on a box', act: () => get('box').click() },
  { name: 'click() on a button', act: () => get('button').click() },
  { name: 'a popover button outside', act: () => clickOn(get('outside-popover')) },
  { name: 'showPopover()', act: () => get('popover').showPopover() },
  { name: 'a command button outside', act: () => clickOn(get('outside-dialog')) },
  { name: 'a command of the application’s own', act: () => clickOn(get('outside-command')) },
  { name: 'showModal()', act: () => get<HTMLDialogElement>('dialog').showModal() },
  { name: 'show()', act: () => get<HTMLDialogElement>('dialog').show() },
  {
    name: 'typing into a dialog that is open',
    prepare: async () => {
      get<HTMLDialogElement>('dialog').showModal();
      await clickOn(get('in-dialog'));
    },
    act: async () => {
      await type('x');
      await clickOn(get('in-dialog'));
      await type('y');
    },
  },
  {
    name: 'the mouse in a dialog that is open',
    prepare: () => get<HTMLDialogElement>('dialog').showModal(),
    act: () => clickOn(get('box-in-dialog')),
  },
  {
    name: 'the mouse in a popover that is open',
    prepare: () => get('popover').showPopover(),
    act: () => clickOn(get('in-popover')),
  },
  {
    name: 'pasting',
    prepare: async () => {
      get('source').select();
      await press('Control+c');
      get('text').focus();
    },
    act: () => press('Control+v'),
  },
  { name: 'cutting', prepare: () => get('text').select(), act: () => press('Control+x') },
  {
    name: 'dropping',
    prepare: () =>
      get('dragged').addEventListener('dragstart', ({ dataTransfer }) =>
        dataTransfer?.setData('text/plain', 'dropped'),
      ),
    act: () => drag(get('dragged'), get('area')),
  },
  {
    name: 'leaving a field that was changed, where that saves (R3)',
    prepare: async () => {
      get('text').focus();
      await type('dirty');
    },
    act: async () => {
      await nextDrawing();
      get('text').blur();
    },
  },
  {
    name: 'leaving such a field in a shadow tree (R3)',
    prepare: async () => {
      get('deeper').focus();
      await type('dirty');
    },
    act: async () => {
      await nextDrawing();
      get<DeeperField>('deeper').input.blur();
    },
  },
  {
    name: 'the form of a shadow tree',
    prepare: () => get('deep').focus(),
    act: async () => {
      await press('Enter');
      await clickOn(get<DeepField>('deep').root.querySelector('button') ?? page);
    },
  },
  {
    name: 'fields that are added later',
    act: async () => {
      get('later').innerHTML = '<input value="later">';
      await clickOn(get('later').querySelector('input') ?? page);
      await type('x');
    },
  },
  {
    name: 'custom elements that are added later',
    act: async () => {
      const late = new DeepField();
      get('later').append(late);
      await clickOn(late.root.querySelector('input') ?? page);
      await type('x');
      late.root.querySelector('input')?.blur();
    },
  },
  { name: 'the mouse on a form-associated custom element', act: () => clickOn(get('switch')) },
  {
    name: 'a key on a form-associated custom element',
    prepare: () => get('switch').focus(),
    act: () => press('Space'),
  },
  {
    name: 'a shortcut that is handled inside',
    prepare: () => get('text').focus(),
    act: () => press('Control+s'),
  },
  {
    name: 'what listens at the guard itself, on the way down',
    prepare: () => guard.addEventListener('click', () => heard.push('click at the guard'), true),
    act: () => get('button').click(),
  },
];

async function drag(from: Element, to: Element): Promise<void> {
  for (const [kind, element] of [
    ['down', from],
    ['up', to],
  ] as const) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    for (const step of [-3, 0]) await sendMouse({ type: 'move', position: [x + step, y] });
    await sendMouse({ type: kind });
  }
}

async function arrange(): Promise<void> {
  client = new FakeLockClient();
  page = await fixtureWith<HTMLElement>(client, html`<div>${content}</div>`);
  guard = page.querySelector('lock-guard') as LockGuard;
  heard = [];
  get('form').addEventListener('submit', (event) => event.preventDefault());
  hear(get('form'));
}

/** Named while it is open, and held by somebody else. */
async function shutInert(): Promise<void> {
  guard.entityUid = '1';
  await guard.updateComplete;
  client.lease.become(heldBy('Anna'));
  await nextDrawing();
}

/** Its own, and then lost. */
async function shutReadonly(): Promise<void> {
  guard.entityUid = '1';
  await guard.updateComplete;
  client.lease.become(MINE);
  client.lease.become({ state: 'lost', lock: lockOf('Ben') });
  await nextDrawing();
}

describe('every way round inert', () => {
  beforeEach(arrange);
  afterEach(() => {
    get<HTMLDialogElement>('dialog').close();
  });

  for (const { name, prepare, act } of ways) {
    for (const [mode, shut] of [
      ['inert', shutInert],
      ['readonly', shutReadonly],
    ] as const) {
      it(`${name}: does nothing while the form is ${mode} (R1, F28)`, async () => {
        await prepare?.();
        const before = contents();
        heard = [];
        await shut();
        await act();
        const { later, ...after } = contents();
        expect({ ...after, later: [] }).to.deep.equal(before);
        expect(later.every((value) => value === 'later')).to.be.true;
        expect(heard).to.deep.equal([]);
      });
    }

    it(`${name}: does something while the form is open`, async () => {
      await prepare?.();
      const before = JSON.stringify(contents());
      heard = [];
      await act();
      expect(heard.length > 0 || JSON.stringify(contents()) !== before).to.be.true;
    });
  }

  for (const [mode, shut] of [
    ['inert', shutInert],
    ['readonly', shutReadonly],
  ] as const) {
    it(`Escape closes a dialog that covers the banner while the form is ${mode}, and what was typed stays (R2)`, async () => {
      const dialog = get<HTMLDialogElement>('dialog');
      dialog.showModal();
      get('in-dialog').select();
      await type('typed');
      await shut();
      await press('Escape');
      expect(dialog.open).to.be.false;
      expect(get('in-dialog').value).to.equal('typed');
      dialog.showModal();
      expect(dialog.open, 'opens again').to.be.false;
      client.lease.become({ ...MINE, stale: false });
      dialog.showModal();
      await clickOn(get('in-dialog'));
      await press('End');
      await type('!');
      expect(get('in-dialog').value).to.equal('typed!');
    });

    it(`an open popover stays in view while the form is ${mode}`, async () => {
      get('popover').showPopover();
      await shut();
      expect(get('popover').matches(':popover-open')).to.be.true;
      get('popover').hidePopover();
      expect(get('popover').matches(':popover-open')).to.be.false;
    });
  }
});
