import { aTimeout, expect, html, waitUntil } from '@open-wc/testing';
import react, { type ReactNode } from 'react';
import reactDom from 'react-dom/client';
import { createApp, h, ref as vueRef, vModelText, withDirectives } from 'vue';
import '../../components/define.ts';
import {
  forgetDrafts,
  keepDrafts,
  type DraftKeeper,
  type DraftOptions,
  type LockDraftEvent,
} from '../../components/draft-keeper.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { nextEvent } from './next-event.ts';
import { clickOn, press, type } from './user-input.ts';

const form = html`
  <form>
    <input name="title" value="A title" />
    <textarea name="text">Some text</textarea>
    <input type="checkbox" name="urgent" />
    <input type="radio" name="size" value="s" checked /><input type="radio" name="size" value="m" />
    <select name="tags" multiple>
      <option>a</option>
      <option>b</option>
    </select>
    <div contenteditable="true" data-lock-name="notes">notes</div>
    <input type="password" name="password" />
    <input name="secret" data-lock-private />
  </form>
`;

describe('keepDrafts', () => {
  let client: FakeLockClient;
  let guard: LockGuard;
  let offers: LockDraftEvent[];
  const keepers: DraftKeeper[] = [];

  /** A page with the record open, as after a reload: the fields are as the server knows them. */
  const open = async (
    options: Partial<DraftOptions> = {},
    content = form,
    uid = '1',
  ): Promise<DraftKeeper> => {
    client = new FakeLockClient();
    const scope = document.createElement('div');
    offers = [];
    scope.addEventListener('lock-draft', (event) => offers.push(event));
    guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid=${uid}>${content}</lock-guard>`,
      scope,
    );
    const keeper = keepDrafts(guard, { user: 'anna', ...options });
    keepers.push(keeper);
    client.lease.become(MINE);
    return keeper;
  };
  const stored = (): readonly string[] =>
    Array.from({ length: sessionStorage.length }, (_, at) => {
      const key = sessionStorage.key(at) ?? '';
      return `${key} ${sessionStorage.getItem(key)}`;
    });
  const lifeMs = (): number => Number(/"expiresAtMs":(\d+)/.exec(stored()[0] ?? '')?.[1]) - Date.now();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as querySelector
  const field = <T extends HTMLElement = HTMLInputElement>(name: string): T => {
    const found = guard.querySelector<T>(`[name=${name}], [data-lock-name=${name}]`);
    if (found === null) throw new Error(`There is no ${name}.`);
    return found;
  };
  const typeInto = async (name: string, text: string): Promise<void> => {
    field(name).focus();
    if (field(name).isContentEditable) await press('Control+a');
    else field(name).select();
    await type(text);
  };
  /** Another person takes over, and the page is loaded again. */
  const loseAndReload = async (): Promise<void> => {
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    for (const keeper of keepers.splice(0)) keeper.stop();
    await open();
  };
  const offered = (): unknown => offers.map(({ values }) => values);

  beforeEach(() => sessionStorage.clear());
  afterEach(() => {
    for (const keeper of keepers.splice(0)) keeper.stop();
    sessionStorage.clear();
  });

  it('offers on the next claim what was typed before the lock was lost, and puts nothing back by itself (F16)', async () => {
    await open();
    await typeInto('title', 'Typed');
    await loseAndReload();
    expect(offered()).to.deep.equal([{ title: ['Typed'] }]);
    expect(offers[0]?.ref).to.deep.equal({ entityType: 'Order', entityUid: '1' });
    expect(Math.abs(Date.now() - (offers[0]?.typedAtMs ?? 0))).to.be.below(10_000);
    expect(field('title').value).to.equal('A title');
  });

  it('puts back every kind of field where that is wanted, and only the ones that were changed', async () => {
    await open();
    await typeInto('title', 'Typed');
    await typeInto('notes', 'noted');
    await clickOn(field('urgent'));
    await clickOn(guard.querySelector('[value=m]') ?? guard);
    field<HTMLSelectElement>('tags').focus();
    await press('ArrowDown');
    const tag = field<HTMLSelectElement>('tags').selectedOptions[0]?.value;
    await loseAndReload();
    field('text').value = 'changed by Ben';
    expect(offers[0]?.restore()).to.be.true;
    expect(field('title').value).to.equal('Typed');
    expect(field('notes').innerText).to.equal('noted');
    expect(field('urgent').checked).to.be.true;
    expect(guard.querySelector<HTMLInputElement>('[value=m]')?.checked).to.be.true;
    expect(field<HTMLSelectElement>('tags').selectedOptions[0]?.value).to.equal(tag);
    expect(field('text').value).to.equal('changed by Ben');
  });

  it('goes on keeping what was put back, until it is saved', async () => {
    await open();
    await typeInto('title', 'Typed');
    await loseAndReload();
    offers[0]?.restore();
    await loseAndReload();
    expect(offered()).to.deep.equal([{ title: ['Typed'] }]);
    offers[0]?.restore();
    keepers[0]?.clear();
    await loseAndReload();
    expect(offers).to.have.length(0);
  });

  it('keeps what waits beside what is typed meanwhile', async () => {
    await open();
    await typeInto('title', 'Typed');
    await loseAndReload();
    await typeInto('text', 'more');
    await loseAndReload();
    expect(offered()).to.deep.equal([{ title: ['Typed'], text: ['more'] }]);
  });

  it('unchecks a box that was unchecked', async () => {
    const boxes = html`<input type="checkbox" name="urgent" checked />`;
    await open({}, boxes);
    await clickOn(field('urgent'));
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    await open({}, boxes);
    expect(offered()).to.deep.equal([{ urgent: [] }]);
    expect(offers[0]?.restore()).to.be.true;
    expect(field('urgent').checked).to.be.false;
  });

  it('offers nothing where the form still shows it', async () => {
    await open();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    client.lease.become({ ...MINE, stale: false });
    expect(offers).to.have.length(0);
    await typeInto('text', 'more');
    await loseAndReload();
    expect(offered()).to.deep.equal([{ title: ['Typed'], text: ['more'] }]);
  });

  it('is not fooled by what the application loads into a form that is shut', async () => {
    await open();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    field('title').value = 'Ben’s';
    field('title').dispatchEvent(new Event('input', { bubbles: true }));
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    client.lease.become({ ...MINE, stale: false });
    expect(offered()).to.deep.equal([{ title: ['Typed'] }]);
  });

  it('puts nothing into a form that is shut, and can later', async () => {
    await open();
    await typeInto('title', 'Typed');
    await loseAndReload();
    const [offer] = offers;
    client.lease.become(heldBy('Ben'));
    expect(offer?.restore()).to.be.false;
    expect(field('title').value).to.equal('A title');
    client.lease.become({ ...MINE, stale: false });
    expect(offers, 'is offered again').to.have.length(2);
    expect(offer?.restore()).to.be.true;
    expect(field('title').value).to.equal('Typed');
  });

  it('forgets what is not wanted', async () => {
    await open();
    await typeInto('title', 'Typed');
    await loseAndReload();
    offers[0]?.discard();
    await loseAndReload();
    expect(offers).to.have.length(0);
  });

  it('forgets what was put back by hand to what it was', async () => {
    await open();
    await typeInto('title', 'Typed');
    await typeInto('title', 'A title');
    await loseAndReload();
    expect(offers).to.have.length(0);
  });

  it('leaves out passwords and what is private', async () => {
    await open();
    await typeInto('password', 'p4ss');
    await typeInto('secret', 's3cret');
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    const kept = stored().join();
    expect(kept).to.contain('Typed');
    expect(kept).not.to.match(/p4ss|s3cret/);
  });

  it('offers it to nobody else, and for no other record', async () => {
    await open();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    await open({ user: 'ben' });
    expect(offers).to.have.length(0);
    await open({}, form, '2');
    expect(offers).to.have.length(0);
    await open();
    expect(offers).to.have.length(1);
  });

  it('does not mix records when the guard goes on to another', async () => {
    await open();
    await typeInto('title', 'Typed');
    field('title').blur();
    guard.entityUid = '2';
    await guard.updateComplete;
    field('title').value = 'Second';
    client.lease.become(MINE);
    await typeInto('text', 'of the second');
    field('text').blur();
    expect(offers).to.have.length(0);
    guard.entityUid = '1';
    field('title').value = 'A title';
    field('text').value = 'Some text';
    await guard.updateComplete;
    client.lease.become(MINE);
    expect(offered()).to.deep.equal([{ title: ['Typed'] }]);
  });

  it('offers nothing that is too old, and removes it', async () => {
    await open({ maxAgeMs: 1 });
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    expect(sessionStorage).to.have.length(1);
    await aTimeout(2);
    await open();
    expect(offers).to.have.length(0);
    expect(sessionStorage).to.have.length(0);
  });

  it('is over when the lock is let go, with the work done', async () => {
    await open();
    await typeInto('title', 'Typed');
    await guard.release();
    expect(sessionStorage).to.have.length(0);
  });

  it('keeps it for some minutes where the form is sent by the browser, as that may fail', async () => {
    await open();
    await typeInto('title', 'Typed');
    const target = document.createElement('iframe');
    target.name = 'answer';
    guard.append(target);
    const sent = guard.querySelector('form') as HTMLFormElement;
    sent.target = 'answer';
    sent.action = '/test/components/answer-of-nobody';
    sent.requestSubmit();
    expect(lifeMs()).to.be.within(200_000, 300_000);
  });

  it('is kept for its time where the application sends the form by itself, until that says it is saved', async () => {
    const keeper = await open();
    guard.addEventListener('submit', (event) => event.preventDefault());
    await typeInto('title', 'Typed');
    await press('Enter');
    field('title').blur();
    expect(lifeMs()).to.be.above(86_000_000);
    keeper.clear();
    expect(sessionStorage).to.have.length(0);
  });

  it('keeps typing that pauses, and what is typed last when the page goes away (F16)', async () => {
    await open();
    await typeInto('title', 'Typed');
    await waitUntil(() => sessionStorage.length === 1);
    await type(' more');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(stored().join()).to.contain('Typed more');
  });

  it('tells whoever listens only after it was called, on a form that is open already', async () => {
    await open();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    for (const keeper of keepers.splice(0)) keeper.stop();
    client.lease.become({ ...MINE, stale: false });
    field('title').value = 'A title';
    keepers.push(keepDrafts(guard, { user: 'anna' }));
    const event = await nextEvent(guard, 'lock-draft');
    expect(event.values).to.deep.equal({ title: ['Typed'] });
  });

  it('forgets all drafts at once, for signing out, and nothing else', async () => {
    sessionStorage.setItem('other', 'stays');
    await open();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    forgetDrafts();
    expect(stored()).to.deep.equal(['other stays']);
  });

  it('hears nothing after stop()', async () => {
    const keeper = await open();
    keeper.stop();
    keeper.stop();
    await typeInto('title', 'Typed');
    client.lease.become({ state: 'lost', lock: lockOf('Ben') });
    expect(sessionStorage).to.have.length(0);
  });

  it('refuses to keep drafts of nobody', async () => {
    await open();
    expect(() => keepDrafts(guard, { user: '' })).to.throw(TypeError, 'user');
  });

  describe('where the storage does not take part', () => {
    const warnings: unknown[] = [];
    const { warn } = console;
    beforeEach(() => {
      warnings.length = 0;
      console.warn = (...values: unknown[]) => warnings.push(values[0]);
    });
    afterEach(() => {
      console.warn = warn;
    });
    const refusing = (what: Partial<Record<keyof Storage, unknown>>): Storage => {
      const storage = { length: 0, getItem: () => null, removeItem: () => {}, key: () => null, ...what };
      return storage as unknown as Storage;
    };
    const refuse = (): never => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };

    it('nothing is thrown when it is full, and it says so once', async () => {
      await open({ storage: refusing({ setItem: refuse }) });
      for (const text of ['one', 'two']) {
        await typeInto('title', text);
        field('title').blur();
      }
      expect(warnings).to.have.length(1);
    });

    it('nothing is thrown when everything of it throws', async () => {
      const keeper = await open({
        storage: refusing({ setItem: refuse, getItem: refuse, removeItem: refuse, key: refuse, length: 1 }),
      });
      await typeInto('title', 'Typed');
      field('title').blur();
      keeper.clear();
      expect(field('title').value).to.equal('Typed');
    });

    it('what is no draft is passed over', async () => {
      for (const text of ['{', 'null', '{"values":{"title":"x"},"typedAtMs":1,"expiresAtMs":9e15}']) {
        sessionStorage.setItem('rowlock.draft:["anna","Order","1"]', text);
        await open();
        expect(offers, text).to.have.length(0);
      }
    });
  });

  describe('in a framework', () => {
    const frameworks: Readonly<Record<string, (root: HTMLElement) => () => string>> = {
      React: (root) => {
        let state = '';
        const Field = (): ReactNode => {
          const [title, setTitle] = react.useState('A title');
          state = title;
          return react.createElement('input', {
            name: 'title',
            value: title,
            onChange: ({ target }: { readonly target: HTMLInputElement }) => setTitle(target.value),
          });
        };
        reactDom.createRoot(root).render(react.createElement(Field));
        return () => state;
      },
      Vue: (root) => {
        const title = vueRef('A title');
        createApp({
          render: () =>
            withDirectives(
              h('input', {
                name: 'title',
                'onUpdate:modelValue': (text: string) => (title.value = text),
              }),
              [[vModelText, title.value]],
            ),
        }).mount(root);
        return () => title.value;
      },
    };
    for (const [name, mount] of Object.entries(frameworks)) {
      it(`what is put back reaches the state of ${name}`, async () => {
        const root = html`<div id="root"></div>`;
        await open({}, root);
        mount(guard.querySelector('#root') as HTMLElement);
        await waitUntil(() => guard.querySelector('[name=title]') !== null);
        await typeInto('title', 'Typed');
        client.lease.become({ state: 'lost', lock: lockOf('Ben') });
        await open({}, root);
        client.lease.become(heldBy('Ben'));
        const state = mount(guard.querySelector('#root') as HTMLElement);
        await waitUntil(() => guard.querySelector('[name=title]') !== null);
        expect(state()).to.equal('A title');
        client.lease.become({ ...MINE, stale: false });
        offers.at(-1)?.restore();
        await waitUntil(() => state() === 'Typed');
        expect(field('title').value).to.equal('Typed');
      });
    }
  });
});
