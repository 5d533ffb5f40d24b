import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, MINE } from './fake-lock-client.ts';
import { nextDrawing, press, type } from './user-input.ts';

describe('the focus, when a form becomes inert', () => {
  let client: FakeLockClient;
  let guard: LockGuard;

  const get = (selector: string): HTMLElement => {
    const element = guard.parentElement?.querySelector<HTMLElement>(selector);
    if (!element) throw new Error(`There is no ${selector}.`);
    return element;
  };

  /** A page whose user has begun before the script came: the focus is inside, then the guard is upgraded. */
  beforeEach(async () => {
    client = new FakeLockClient();
    const page = await fixtureWith<HTMLElement>(
      client,
      html`<div>
        <input id="elsewhere" />
        <lock-guard entity-type="Order" entity-uid="">
          <input id="title" value="a title" />
          <div id="editable" contenteditable="true">some text</div>
        </lock-guard>
      </div>`,
    );
    guard = page.querySelector('lock-guard') as LockGuard;
  });

  const lock = async (): Promise<void> => {
    guard.entityUid = '1';
    await guard.updateComplete;
    client.lease.become(heldBy('Anna'));
    await nextDrawing();
    expect(guard.contains(document.activeElement), 'focus inside').to.be.false;
  };

  it('comes back with its selection when the form opens (R4)', async () => {
    const title = get('#title') as HTMLInputElement;
    title.focus();
    title.setSelectionRange(2, 5, 'backward');
    await lock();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('title');
    expect([title.selectionStart, title.selectionEnd, title.selectionDirection]).to.deep.equal([
      2,
      5,
      'backward',
    ]);
    await type('T');
    expect(title.value).to.equal('a Tle');
  });

  it('comes back to where the caret was in an editable text (R4)', async () => {
    get('#editable').focus();
    await press('End');
    await lock();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('editable');
    await type('!');
    expect(get('#editable').textContent).to.equal('some text!');
  });

  it('is not taken from a user who has moved on (R4)', async () => {
    get('#title').focus();
    await lock();
    get('#elsewhere').focus();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('elsewhere');
  });

  it('does not go to an element that is gone (R4)', async () => {
    get('#title').focus();
    await lock();
    get('#title').remove();
    client.lease.become(MINE);
    expect(document.activeElement?.localName).to.equal('body');
  });

  it('is not moved where it was not inside, neither then nor afterwards (R9)', async () => {
    get('#elsewhere').focus();
    await lock();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('elsewhere');
  });

  it('goes on to the first field when it was on the banner, whose buttons go (R4)', async () => {
    await lock();
    client.lease.become({ canTakeOver: true });
    await guard.updateComplete;
    await nextDrawing();
    const banner = guard.shadowRoot?.querySelector('lock-banner');
    banner?.shadowRoot?.querySelector<HTMLElement>('[part=take-over]')?.focus();
    expect(banner?.shadowRoot?.activeElement).to.exist;
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('title');
  });

  it('stays in a form that is only readonly, with its selection (F34)', async () => {
    guard.blocking = 'readonly';
    const title = get('#title') as HTMLInputElement;
    title.focus();
    title.setSelectionRange(2, 5);
    guard.entityUid = '1';
    await guard.updateComplete;
    client.lease.become(heldBy('Anna'));
    await nextDrawing();
    expect(document.activeElement?.id).to.equal('title');
    client.lease.become(MINE);
    expect([document.activeElement?.id, title.selectionStart, title.selectionEnd]).to.deep.equal([
      'title',
      2,
      5,
    ]);
  });

  it('reaches the banner by Tab while the form is inert, and nothing after that (R9)', async () => {
    await lock();
    client.lease.become({ canTakeOver: true });
    await nextDrawing();
    get('#elsewhere').focus();
    await press('Tab');
    const banner = guard.shadowRoot?.querySelector('lock-banner');
    expect(banner?.shadowRoot?.activeElement?.part.value).to.equal('take-over');
    await press('Tab');
    expect(guard.contains(document.activeElement)).to.be.false;
  });

  it('comes back into a shadow tree (R4)', async () => {
    const host = document.createElement('div');
    host.attachShadow({ mode: 'open' }).innerHTML = '<input value="deep">';
    guard.append(host);
    host.shadowRoot?.querySelector('input')?.focus();
    await lock();
    expect(document.activeElement?.localName).to.equal('body');
    client.lease.become(MINE);
    expect(host.shadowRoot?.activeElement?.localName).to.equal('input');
  });
});

/* eslint-disable lit-a11y/no-autofocus -- what this is about */
describe('the field with [autofocus], when a form opens', () => {
  let client: FakeLockClient;
  let page: HTMLElement;

  const arrange = async (claim = 'open'): Promise<LockGuard> => {
    client = new FakeLockClient();
    page = await fixtureWith<HTMLElement>(
      client,
      html`<div>
        <input id="elsewhere" />
        <lock-guard entity-type="Order" entity-uid="1" claim=${claim}>
          <input id="first" /><input id="second" autofocus value="two" />
        </lock-guard>
      </div>`,
    );
    (document.activeElement as HTMLElement | null)?.blur();
    return page.querySelector('lock-guard') as LockGuard;
  };
  const focused = (): string => document.activeElement?.id ?? '';
  const get = (id: string): HTMLElement => page.querySelector(`#${id}`) as HTMLElement;

  it('gets the focus, so that one can type', async () => {
    await arrange();
    client.lease.become(heldBy('Anna'));
    await nextDrawing();
    expect(focused()).to.equal('');
    client.lease.become(MINE);
    expect(focused()).to.equal('second');
    await type('x');
    expect((get('second') as HTMLInputElement).value).to.contain('x');
  });

  it('does not get it where something else has it', async () => {
    await arrange();
    get('elsewhere').focus();
    client.lease.become(MINE);
    expect(focused()).to.equal('elsewhere');
  });

  it('waits until the application has loaded the record', async () => {
    const guard = await arrange();
    let loaded = (): void => {};
    guard.addEventListener('lock-acquired', (event) =>
      event.waitUntil(new Promise<void>((done) => (loaded = done))),
    );
    client.lease.become(MINE);
    expect(focused()).to.equal('');
    loaded();
    await nextDrawing();
    expect(focused()).to.equal('second');
  });

  it('gets it once for each record, and not when the same form opens again', async () => {
    const guard = await arrange();
    client.lease.become(MINE);
    get('second').blur();
    client.lease.become({ state: 'lost', lock: null });
    client.lease.become({ ...MINE, stale: false });
    expect(focused()).to.equal('');
    guard.entityUid = '2';
    await guard.updateComplete;
    client.lease.become(MINE);
    expect(focused()).to.equal('second');
  });

  it('comes before the first field where the focus was on the banner', async () => {
    const guard = await arrange();
    client.lease.become(heldBy('Anna', { canTakeOver: true }));
    await nextDrawing();
    guard.shadowRoot
      ?.querySelector('lock-banner')
      ?.shadowRoot?.querySelector<HTMLElement>('[part=take-over]')
      ?.focus();
    client.lease.become(MINE);
    expect(focused()).to.equal('second');
  });

  it('is left to the browser where the form was never shut', async () => {
    await arrange('manual');
    expect(focused()).to.equal('');
  });
});
