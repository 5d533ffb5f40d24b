import { aTimeout, expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { nextEvent } from './next-event.ts';
import { clickOn, press, type } from './user-input.ts';

const bodyOf = (guard: LockGuard): HTMLElement => {
  const body = guard.shadowRoot?.querySelector<HTMLElement>('[part=body]');
  if (!body) throw new Error('The guard has no body yet.');
  return body;
};
const blockingOf = (guard: LockGuard): string =>
  bodyOf(guard).inert ? 'inert' : bodyOf(guard).ariaDisabled === 'true' ? 'readonly' : 'open';

describe('<lock-guard>', () => {
  let client: FakeLockClient;
  beforeEach(() => {
    client = new FakeLockClient();
  });

  const guardOf = (content = html`<input name="title" value="Draft" />`): Promise<LockGuard> =>
    fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1">${content}</lock-guard>`,
    );

  describe('states', () => {
    it('claims when it is opened, and is blocked until it has the answer', async () => {
      const guard = await guardOf();
      expect(client.lease.calls).to.deep.equal(['claim']);
      expect(guard.state).to.equal('claiming');
      expect(blockingOf(guard)).to.equal('inert');
      client.lease.become(MINE);
      expect(guard.state).to.equal('mine');
      expect(blockingOf(guard)).to.equal('open');
    });

    it('is blocked from its first moment, before anything was asked', () => {
      const guard = document.createElement('lock-guard');
      guard.innerHTML = '<button>Approve</button>';
      guard.entityType = 'Order';
      guard.entityUid = '1';
      const parent = document.createElement('div');
      parent.append(guard);
      document.body.append(parent);
      let clicks = 0;
      guard.querySelector('button')?.addEventListener('click', () => (clicks += 1));
      guard.querySelector('button')?.click();
      expect(guard.blocked).to.be.true;
      expect(clicks).to.equal(0);
      parent.remove();
    });

    it('has the lock, its state and `changed` to read, and the state as a CSS state', async () => {
      const guard = await guardOf();
      client.lease.become(heldBy('Anna', { changed: null }));
      expect(guard.lock?.holderName).to.equal('Anna');
      expect(guard.changed).to.equal(null);
      expect(guard.blocked).to.be.true;
      expect(guard.matches(':state(held)')).to.be.true;
      expect(guard.matches(':state(blocked)')).to.be.true;
      client.lease.become({ ...MINE, changed: false });
      expect(guard.matches(':state(held), :state(blocked)')).to.be.false;
      expect(guard.matches(':state(mine)')).to.be.true;
      expect(guard.changed).to.equal(false);
    });

    for (const state of ['unknown', 'error', 'released'] as const) {
      it(`is open while ${state}`, async () => {
        const guard = await guardOf();
        client.lease.become({ state });
        expect(guard.blocked).to.be.false;
        expect(blockingOf(guard)).to.equal('open');
      });
    }

    it('keeps what was typed readable: once open, it is never inert again (F16, R5)', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      client.lease.become({ state: 'lost', lock: lockOf('Ben') });
      expect(blockingOf(guard)).to.equal('readonly');
      client.lease.become(heldBy('Ben'));
      expect(blockingOf(guard)).to.equal('readonly');
    });

    it('blocks as readonly from the start where that is wanted', async () => {
      const guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard entity-type="Order" entity-uid="1" blocking="readonly"></lock-guard>`,
      );
      client.lease.become(heldBy('Anna'));
      expect(blockingOf(guard)).to.equal('readonly');
    });

    it('stays open while it asks again after an outage: somebody is typing', async () => {
      const guard = await guardOf();
      client.lease.become({ state: 'error', error: { code: 'unauthenticated', message: 'No token.' } });
      client.lease.become({ state: 'claiming' });
      expect(guard.blocked).to.be.false;
      client.lease.become(heldBy('Anna'));
      expect(blockingOf(guard)).to.equal('readonly');
      client.lease.become({ state: 'claiming' });
      expect(guard.blocked).to.be.true;
    });

    it('waits for the answer after a sleep, when it asks from `mine` (F8)', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      client.lease.become({ state: 'claiming' });
      expect(blockingOf(guard)).to.equal('readonly');
      client.lease.become(MINE);
      expect(blockingOf(guard)).to.equal('open');
    });
  });

  describe('events', () => {
    it('tells of each outcome, with the record, bubbling out of shadow trees', async () => {
      const heard: string[] = [];
      const host = document.createElement('div');
      const outcomes = ['acquired', 'held', 'lost', 'released', 'unknown', 'error'] as const;
      for (const outcome of outcomes) {
        host.addEventListener(`lock-${outcome}`, ({ type, ref }) => {
          heard.push(`${type} ${ref.entityType}/${ref.entityUid}`);
        });
      }
      await fixtureWith(client, html`<lock-guard entity-type="Order" entity-uid="1"></lock-guard>`, host);
      const steps = ['held', 'mine', 'unknown', 'mine', 'lost', 'error', 'released'] as const;
      for (const state of steps) client.lease.become({ state });
      expect(heard).to.deep.equal(
        ['held', 'acquired', 'unknown', 'acquired', 'lost', 'error', 'released'].map(
          (name) => `lock-${name} Order/1`,
        ),
      );
    });

    it('tells of every change of state when the form is already as it should be', async () => {
      const guard = await guardOf();
      const seen: string[] = [];
      guard.addEventListener('lock-statechange', ({ state, previous }) =>
        seen.push(`${previous} → ${state}, ${blockingOf(guard)}`),
      );
      client.lease.become(heldBy('Anna'));
      client.lease.become({ endsAtMs: Date.now() + 9_000 });
      client.lease.become(MINE);
      expect(seen).to.deep.equal(['claiming → held, inert', 'held → mine, open']);
    });

    it('hands over what was typed before it blocks (F16)', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      const input = guard.querySelector('input');
      if (input !== null) input.value = 'Typed';
      let blocking = '';
      guard.addEventListener('lock-lost', () => (blocking = blockingOf(guard)));
      setTimeout(() => client.lease.become({ state: 'lost', lock: lockOf('Ben') }));
      const event = await nextEvent(guard, 'lock-lost');
      expect(event.getValues()).to.deep.equal({ title: 'Typed' });
      expect(event.lock?.holderName).to.equal('Ben');
      expect(blocking).to.equal('open');
      expect(blockingOf(guard)).to.equal('readonly');
    });

    it('names the code and the words of a refusal', async () => {
      const guard = await guardOf();
      setTimeout(() =>
        client.lease.become({ state: 'error', error: { code: 'type-not-lockable', message: 'Order?' } }),
      );
      const event = await nextEvent(guard, 'lock-error');
      expect([event.code, event.message]).to.deep.equal(['type-not-lockable', 'Order?']);
    });

    it('does not tell of a state that a handler has already left', async () => {
      const guard = await guardOf();
      const seen: string[] = [];
      guard.addEventListener('lock-acquired', () => void guard.release());
      guard.addEventListener('lock-released', () => seen.push('released'));
      guard.addEventListener('lock-statechange', ({ state }) => seen.push(state));
      client.lease.become(MINE);
      await aTimeout(0);
      expect(seen).to.deep.equal(['mine', 'released', 'released']);
      expect(guard.state).to.equal('released');
    });
  });

  describe('opening', () => {
    it('stays blocked until everything that lock-acquired waits for is loaded', async () => {
      const guard = await guardOf();
      const loads: (() => void)[] = [];
      guard.addEventListener('lock-acquired', (event) => {
        for (let load = 0; load < 2; load += 1)
          event.waitUntil(new Promise<void>((done) => loads.push(done)));
      });
      client.lease.become(MINE);
      expect(guard.state).to.equal('mine');
      expect(blockingOf(guard)).to.equal('inert');
      loads[0]?.();
      await aTimeout(0);
      expect(guard.blocked).to.be.true;
      expect(client.lease.calls).not.to.include('loaded');
      loads[1]?.();
      await aTimeout(0);
      expect(guard.blocked).to.be.false;
      expect(client.lease.calls).to.include('loaded');
    });

    it('stays blocked and offers to reload where loading fails', async () => {
      const guard = await guardOf();
      guard.addEventListener('lock-acquired', (event) => event.waitUntil(Promise.reject(new Error('503'))), {
        once: true,
      });
      client.lease.become(MINE);
      await aTimeout(0);
      expect(guard.blocked).to.be.true;
      guard.addEventListener('lock-reload', (event) => event.waitUntil(Promise.resolve()));
      guard.reload();
      await aTimeout(0);
      expect(guard.blocked).to.be.false;
    });

    it('handles a load that fails, so that it is no unhandled rejection of the page', async () => {
      const guard = await guardOf();
      const unhandled: unknown[] = [];
      const note = (event: PromiseRejectionEvent): void => {
        event.preventDefault();
        unhandled.push(event.reason);
      };
      window.addEventListener('unhandledrejection', note);
      guard.addEventListener('lock-acquired', (event) => {
        event.waitUntil(Promise.reject(new Error('503')));
        event.waitUntil(Promise.reject(new Error('504')));
      });
      client.lease.become(MINE);
      await aTimeout(50);
      window.removeEventListener('unhandledrejection', note);
      expect(unhandled).to.deep.equal([]);
    });

    it('opens at once where nobody waits and nothing has changed', async () => {
      const guard = await guardOf();
      client.lease.become(heldBy('Anna'));
      client.lease.become({ ...MINE, stale: false });
      expect(guard.blocked).to.be.false;
    });

    it('stays blocked on old data until it was reloaded (F20)', async () => {
      const guard = await guardOf();
      client.lease.become(heldBy('Anna'));
      client.lease.become({ ...MINE, stale: true });
      expect(guard.blocked).to.be.true;
      guard.addEventListener('lock-reload', (event) => event.preventDefault(), { once: true });
      guard.reload();
      expect(guard.blocked, 'the application reloads by itself').to.be.true;
      guard.loaded();
      expect(guard.blocked).to.be.false;
    });

    it('is blocked as readonly when its data turns old while it is open', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      client.lease.become({ stale: true });
      expect(blockingOf(guard)).to.equal('readonly');
    });

    it('reloads the page where nobody answers lock-reload', async () => {
      let reloads = 0;
      class ReloadingGuard extends (customElements.get('lock-guard') as typeof LockGuard) {
        protected override reloadPage(): void {
          reloads += 1;
        }
      }
      customElements.define('reloading-guard', ReloadingGuard);
      const guard = await fixtureWith<LockGuard>(
        client,
        html`<reloading-guard entity-type="Order" entity-uid="1"></reloading-guard>`,
      );
      guard.addEventListener('lock-reload', (event) => event.preventDefault(), { once: true });
      guard.reload();
      expect(reloads).to.equal(0);
      guard.reload();
      expect(reloads).to.equal(1);
    });

    it('forgets a load that other events have overtaken', async () => {
      const guard = await guardOf();
      let finish = (): void => {};
      guard.addEventListener('lock-acquired', (event) =>
        event.waitUntil(new Promise<void>((done) => (finish = done))),
      );
      client.lease.become(MINE);
      client.lease.become({ state: 'lost', lock: lockOf('Ben') });
      finish();
      await aTimeout(0);
      expect(client.lease.calls).not.to.include('loaded');
      expect(guard.blocked).to.be.true;
    });

    it('counts a load as done even where it has replaced the element', async () => {
      const guard = await guardOf();
      let finish = (): void => {};
      guard.addEventListener('lock-reload', (event) =>
        event.waitUntil(new Promise<void>((done) => (finish = done))),
      );
      client.lease.become({ ...MINE, stale: true });
      guard.reload();
      guard.remove();
      finish();
      await aTimeout(0);
      expect(client.lease.calls).to.include('loaded');
    });

    it('says whether something may have been typed already', async () => {
      const guard = await guardOf();
      const seen: boolean[] = [];
      guard.addEventListener('lock-acquired', ({ wasOpen }) => seen.push(wasOpen));
      for (const state of ['mine', 'unknown', 'mine'] as const) client.lease.become({ state });
      expect(seen).to.deep.equal([false, true]);
    });

    it('refuses waitUntil after the event', async () => {
      const guard = await guardOf();
      setTimeout(() => client.lease.become(MINE));
      const event = await nextEvent(guard, 'lock-acquired');
      await aTimeout(0);
      expect(() => event.waitUntil(Promise.resolve())).to.throw(DOMException);
    });
  });

  describe('releasing', () => {
    it('saves first, then lets go', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      let saved = (): void => {};
      guard.addEventListener('lock-before-release', (event) =>
        event.waitUntil(new Promise<void>((done) => (saved = done))),
      );
      const released = guard.release();
      expect(guard.state).to.equal('mine');
      saved();
      expect(await released).to.be.true;
      expect(guard.state).to.equal('released');
    });

    it('keeps the lock where that is cancelled, or where saving fails', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      guard.addEventListener('lock-before-release', (event) => event.preventDefault(), { once: true });
      expect(await guard.release()).to.be.false;
      guard.addEventListener('lock-before-release', (event) =>
        event.waitUntil(Promise.reject(new Error('503'))),
      );
      const error: unknown = await guard.release().catch((reason: unknown) => reason);
      expect(String(error)).to.contain('503');
      expect(guard.state).to.equal('mine');
    });
  });

  describe('the record', () => {
    it('is nothing while the uid is empty: idle, open, nothing claimed', async () => {
      const guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard entity-type="Order" entity-uid=""></lock-guard>`,
      );
      expect(client.leases.size).to.equal(0);
      expect([guard.state, guard.blocked]).to.deep.equal(['idle', false]);
    });

    it('may change: the old lease is closed, the new one claimed, and what was known is forgotten', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      const seen: string[] = [];
      guard.addEventListener('lock-acquired', ({ ref }) => seen.push(ref.entityUid));
      guard.entityUid = '2';
      await guard.updateComplete;
      expect(client.open).to.equal(1);
      expect([guard.state, blockingOf(guard)]).to.deep.equal(['claiming', 'inert']);
      expect(client.lease.ref.entityUid).to.equal('2');
      client.leases.get('Order/1')?.become(heldBy('Anna'));
      expect(guard.state).to.equal('claiming');
      client.lease.become(MINE);
      expect(seen).to.deep.equal(['2']);
      guard.entityUid = '';
      await guard.updateComplete;
      expect([client.open, guard.state, guard.blocked]).to.deep.equal([0, 'idle', false]);
    });

    it('may be named by numbers, null and undefined, as frameworks do', async () => {
      const guard = await guardOf();
      guard.entityUid = 7 as unknown as string;
      await guard.updateComplete;
      expect(client.lease.ref).to.deep.equal({ entityType: 'Order', entityUid: '7' });
      guard.entityUid = undefined as unknown as string;
      await guard.updateComplete;
      expect([client.open, guard.state]).to.deep.equal([0, 'idle']);
    });

    it('keeps its lease and stays silent when the element moves', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      const seen: string[] = [];
      guard.addEventListener('lock-acquired', () => seen.push('acquired'));
      guard.addEventListener('lock-statechange', () => seen.push('statechange'));
      const elsewhere = document.createElement('div');
      guard.parentElement?.append(elsewhere);
      elsewhere.append(guard);
      await guard.updateComplete;
      expect(seen).to.deep.equal([]);
      expect([client.open, guard.state, guard.blocked]).to.deep.equal([1, 'mine', false]);
      client.lease.become(heldBy('Ben'));
      expect(guard.state).to.equal('held');
    });

    it('is taken on by an element that replaces it, the new one first, as htmx does', async () => {
      const guard = await guardOf();
      client.lease.become(MINE);
      const replacement = document.createElement('lock-guard');
      replacement.entityType = 'Order';
      replacement.entityUid = '1';
      let acquired = 0;
      guard.before(replacement);
      guard.remove();
      replacement.addEventListener('lock-acquired', () => (acquired += 1));
      await replacement.updateComplete;
      expect(client.open).to.equal(1);
      expect(acquired).to.equal(1);
      expect(replacement.blocked).to.be.false;
    });

    it('asks on when it comes back into the page whether what it shows is old, and keeps that readable', async () => {
      const guard = await guardOf();
      const scope = guard.parentElement;
      client.lease.fence = 7;
      client.lease.become(MINE);
      guard.remove();
      client.leases.clear();
      scope?.append(guard);
      await guard.updateComplete;
      expect(client.lease.options.fence).to.equal(7);
      client.lease.become(heldBy('Ben'));
      expect(blockingOf(guard)).to.equal('readonly');
      guard.entityUid = '2';
      await guard.updateComplete;
      expect(client.lease.options).not.to.have.property('fence');
    });

    it('opens nothing after it was removed again at once', async () => {
      const guard = document.createElement('lock-guard');
      guard.entityType = 'Order';
      guard.entityUid = '1';
      const scope = await fixtureWith(client, html`<div></div>`);
      scope.append(guard);
      guard.remove();
      await guard.updateComplete;
      expect(client.open).to.equal(0);
    });
  });

  describe('settings', () => {
    it('are passed on from attributes; "false" means false', async () => {
      await fixtureWith(
        client,
        html`<lock-guard
          entity-type="Order"
          entity-uid="1"
          wait="off"
          release-on-leave="false"
          claim-timeout="1500"
        ></lock-guard>`,
      );
      expect(client.lease.options).to.deep.equal({
        wait: 'off',
        releaseOnLeave: false,
        claimTimeoutMs: 1500,
      });
    });

    it('leave the client’s defaults where they say nothing, and a bare attribute is on', async () => {
      await guardOf();
      expect(client.lease.options).to.deep.equal({ wait: 'auto' });
      await fixtureWith(
        client,
        html`<lock-guard entity-type="Order" entity-uid="2" release-on-leave></lock-guard>`,
      );
      expect(client.lease.options).to.deep.equal({ wait: 'auto', releaseOnLeave: true });
    });
  });

  describe('claim="edit"', () => {
    const editGuard = (): Promise<LockGuard> =>
      fixtureWith<LockGuard>(
        client,
        html`<lock-guard entity-type="Order" entity-uid="1" claim="edit">
          <p id="text">Read <a href="#there">me</a></p>
          <form><input name="title" /><input type="checkbox" /></form>
        </lock-guard>`,
      );

    it('claims nothing for reading', async () => {
      const guard = await editGuard();
      await clickOn(guard.querySelector('a') ?? guard);
      await clickOn(guard.querySelector('#text') ?? guard, { x: 5 });
      expect(guard.state).to.equal('idle');
      expect(client.lease.calls).to.deep.equal([]);
    });

    it('claims at the first key, and loses none while it waits for the answer', async () => {
      const guard = await editGuard();
      const input = guard.querySelector('input');
      input?.focus();
      await type('Hello');
      expect(client.lease.calls).to.deep.equal(['claim']);
      expect(guard.state).to.equal('claiming');
      expect(input?.value).to.equal('Hello');
      client.lease.become(MINE);
      await type('!');
      expect(input?.value).to.equal('Hello!');
      expect(client.lease.calls).to.deep.equal(['claim']);
    });

    it('is blocked, with the text still there, where somebody else has it', async () => {
      const guard = await editGuard();
      const input = guard.querySelector('input');
      input?.focus();
      await type('Hi');
      client.lease.become(heldBy('Anna'));
      await type('?');
      expect(blockingOf(guard)).to.equal('readonly');
      expect(input?.value).to.equal('Hi');
    });

    it('claims when a control is clicked, and again after a release', async () => {
      const guard = await editGuard();
      const box = guard.querySelector<HTMLInputElement>('[type=checkbox]');
      await clickOn(box ?? guard);
      expect(box?.checked).to.be.true;
      client.lease.become(MINE);
      await guard.release();
      box?.focus();
      await press('Space');
      expect(client.lease.calls).to.deep.equal(['claim', 'release', 'claim']);
    });
  });

  it('claims when `claim` becomes "open", and is not blocked for ever', async () => {
    const guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1" claim="manual"></lock-guard>`,
    );
    guard.claim = 'open';
    await guard.updateComplete;
    expect(client.lease.calls).to.deep.equal(['claim']);
    client.lease.become(MINE);
    expect([guard.blocked, client.open]).to.deep.equal([false, 1]);
  });

  it('claims only when told to with claim="manual"', async () => {
    const guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1" claim="manual"><input /></lock-guard>`,
    );
    guard.querySelector('input')?.focus();
    await type('x');
    expect(client.lease.calls).to.deep.equal([]);
    guard.claimNow();
    expect(client.lease.calls).to.deep.equal(['claim']);
    expect(blockingOf(guard)).to.equal('readonly');
  });
});
