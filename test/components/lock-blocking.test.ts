import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockBlockingEvent } from '../../components/index.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { type } from './user-input.ts';

/** An editor as they come: what is typed happens in a frame, where no event of it reaches the page. */
class FramedEditor extends HTMLElement {
  readonly frame = document.createElement('iframe');

  connectedCallback(): void {
    this.append(this.frame);
    this.page.body.innerHTML = '<p contenteditable="true">text</p>';
  }

  get page(): Document {
    if (this.frame.contentDocument === null) throw new Error('The frame has no document.');
    return this.frame.contentDocument;
  }

  get text(): HTMLElement {
    return this.page.querySelector('p') as HTMLElement;
  }

  /** Its own switch. */
  setReadOnly(isReadOnly: boolean): void {
    this.text.contentEditable = String(!isReadOnly);
  }
}
customElements.define('framed-editor', FramedEditor);

describe('lock-blocking', () => {
  let client: FakeLockClient;
  let scope: HTMLElement;
  let told: string[];

  const arrange = async (content = html`<input />`, attribute = 'open'): Promise<LockGuard> => {
    client = new FakeLockClient();
    scope = document.createElement('div');
    told = [];
    scope.addEventListener('lock-blocking', ({ ref, blocked, blocking }) =>
      told.push(`${ref.entityType}/${ref.entityUid} ${blocked} ${blocking}`),
    );
    return fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1" claim=${attribute}>${content}</lock-guard>`,
      scope,
    );
  };

  it('tells of every change of what is blocked, and how, and of nothing else', async () => {
    await arrange();
    const steps = [
      heldBy('Anna'),
      { endsAtMs: 1 },
      MINE,
      { endsAtMs: 2, reconnecting: true },
      { stale: true },
      { state: 'lost', lock: lockOf('Ben') },
      { state: 'unknown' },
      { state: 'released' },
    ] as const;
    for (const step of steps) client.lease.become({ stale: false, ...step });
    expect(told).to.deep.equal([
      'Order/1 true inert',
      'Order/1 false null',
      'Order/1 true readonly',
      'Order/1 false null',
    ]);
  });

  it('tells of each record, also of one that is no longer named', async () => {
    const guard = await arrange();
    guard.entityUid = '2';
    await guard.updateComplete;
    client.lease.become(MINE);
    guard.entityUid = '3';
    await guard.updateComplete;
    guard.entityUid = '';
    await guard.updateComplete;
    expect(told).to.deep.equal([
      'Order/1 true inert',
      'Order/2 true inert',
      'Order/2 false null',
      'Order/3 true inert',
      'Order/3 false null',
    ]);
  });

  it('says of a form that claims nothing yet that it is open', async () => {
    await arrange(undefined, 'manual');
    expect(told).to.deep.equal(['Order/1 false null']);
  });

  it('comes when the form is like that already, with what lock-lost has told before', async () => {
    const guard = await arrange();
    client.lease.become(MINE);
    const seen: string[] = [];
    for (const name of ['lock-lost', 'lock-blocking', 'lock-statechange'] as const) {
      guard.addEventListener(name, () => {
        const body = guard.shadowRoot?.querySelector('[part=body]');
        seen.push(`${name} ${body?.ariaDisabled}`);
      });
    }
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    expect(seen).to.deep.equal(['lock-lost null', 'lock-blocking true', 'lock-statechange true']);
  });

  it('may be answered by letting go', async () => {
    const guard = await arrange();
    guard.addEventListener('lock-blocking', ({ blocked }) => void (blocked || guard.release()));
    client.lease.become(MINE);
    await guard.updateComplete;
    expect([guard.state, told.at(-1)]).to.deep.equal(['released', 'Order/1 false null']);
  });

  it('switches an editor whose typing the guard does not hear of (F28)', async () => {
    const guard = await arrange(html`<framed-editor></framed-editor>`);
    const editor = guard.querySelector<FramedEditor>('framed-editor') as FramedEditor;
    const follow = (): void => editor.setReadOnly(guard.blocked);
    guard.addEventListener('lock-blocking', follow);
    // What was told before there was an editor.
    follow();
    const typed = async (): Promise<string> => {
      editor.frame.focus();
      editor.text.focus();
      await type('x');
      return editor.text.innerText;
    };
    client.lease.become(MINE);
    expect(await typed()).to.contain('x');
    editor.text.textContent = 'text';
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    expect(await typed()).to.equal('text');
    client.lease.become({ ...MINE, stale: false });
    expect(await typed()).to.contain('x');
  });

  it('is typed for whoever listens', async () => {
    const guard = await arrange();
    let heard: LockBlockingEvent | null = null;
    guard.addEventListener('lock-blocking', (event) => (heard = event));
    client.lease.become(MINE);
    expect(heard).to.be.instanceOf(Event);
  });
});
