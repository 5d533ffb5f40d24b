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

  it('comes back with its selection when the form opens', async () => {
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

  it('comes back to where the caret was in an editable text', async () => {
    get('#editable').focus();
    await press('End');
    await lock();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('editable');
    await type('!');
    expect(get('#editable').textContent).to.equal('some text!');
  });

  it('is not taken from a user who has moved on', async () => {
    get('#title').focus();
    await lock();
    get('#elsewhere').focus();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('elsewhere');
  });

  it('does not go to an element that is gone', async () => {
    get('#title').focus();
    await lock();
    get('#title').remove();
    client.lease.become(MINE);
    expect(document.activeElement?.localName).to.equal('body');
  });

  it('is not moved where it was not inside', async () => {
    get('#elsewhere').focus();
    await lock();
    client.lease.become(MINE);
    expect(document.activeElement?.id).to.equal('elsewhere');
  });

  it('goes on to the first field when it was on the banner, whose buttons go', async () => {
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
});
