import { aTimeout, expect, html, waitUntil } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { axeFindings } from './axe-findings.ts';
import { FakeLockClient, fixtureWith, heldBy, MINE } from './fake-lock-client.ts';
import { nextEvent } from './next-event.ts';
import { clickOn, press, type } from './user-input.ts';

/** The warning comes after half of it. */
const IDLE_MS = 200;
const WARNING = 'Are you still editing this record? It will be free soon.';

const PATIENCE = { timeout: 5_000 };

describe('idle-after (F19)', () => {
  let client: FakeLockClient;
  let guard: LockGuard;

  const arrange = async (idleAfter = IDLE_MS, claim = 'open', lang = 'en'): Promise<void> => {
    client = new FakeLockClient();
    guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard lang=${lang} claim=${claim} entity-type="Order" entity-uid="1" idle-after=${idleAfter}
        ><input name="title" aria-label="Title"
      /></lock-guard>`,
    );
    guard.claimNow();
    client.lease.calls.length = 0;
    client.lease.become(MINE);
  };
  const input = (): HTMLInputElement => guard.querySelector('input') as HTMLInputElement;
  const banner = (): LockBanner => guard.shadowRoot?.querySelector('lock-banner') as LockBanner;
  const said = (): string =>
    (banner().shadowRoot?.querySelector('[part=text]')?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const isSaid = (text: string): Promise<void> => waitUntil(() => said() === text, text, PATIENCE);
  const button = (): HTMLElement | null =>
    banner().shadowRoot?.querySelector<HTMLElement>('[part=action]') ?? null;
  const released = (): Promise<void> => waitUntil(() => guard.state === 'released', 'released', PATIENCE);
  /** The page is visible already: only the event is missing. */
  const seen = (): boolean => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  const lateEnough = (): Promise<void> => aTimeout(3 * IDLE_MS);

  afterEach(() => {
    guard.remove();
  });

  it('nobody does anything: a warning, the hook, the release, in this order, and a way back', async () => {
    await arrange();
    const seen: string[] = [];
    guard.addEventListener('lock-before-release', ({ isIdle }) => {
      seen.push(`${said()} isIdle=${String(isIdle)} ${client.lease.calls.join()}`);
    });
    await released();
    expect(seen).to.deep.equal([`${WARNING} isIdle=true `]);
    expect(client.lease.calls).to.deep.equal(['release']);
    await isSaid('You are no longer editing this record.');
    expect(guard.blocked).to.be.false;
    await clickOn(button() ?? guard);
    expect(client.lease.calls).to.contain('claim');
  });

  it('is announced once', async () => {
    await arrange();
    await guard.updateComplete;
    const texts: string[] = [];
    const region = banner().shadowRoot?.querySelector('[role=status]');
    const observer = new MutationObserver(() => texts.push(said()));
    observer.observe(region as Element, { childList: true, characterData: true, subtree: true });
    await released();
    observer.disconnect();
    expect(texts.filter((text) => text === WARNING)).to.have.length(1);
  });

  it('the warning has no findings by axe', async () => {
    await arrange(4_000);
    await isSaid(WARNING);
    expect(await axeFindings(guard)).to.deep.equal([]);
  });

  it('says so in German', async () => {
    await arrange(IDLE_MS, 'open', 'de');
    await isSaid('Bearbeiten Sie diesen Datensatz noch? Er ist bald frei.');
  });

  it('off by default: nothing is ever let go', async () => {
    await arrange(0);
    await lateEnough();
    expect([guard.state, client.lease.calls]).to.deep.equal(['mine', []]);
  });

  it('any key takes the warning back, and the lock is kept', async () => {
    await arrange(2_000);
    input().focus();
    await isSaid(WARNING);
    await press('Shift');
    await isSaid('');
    expect(guard.state).to.equal('mine');
    expect(client.lease.calls).to.deep.equal([]);
  });

  it('so does the button of the warning', async () => {
    await arrange(2_000);
    await isSaid(WARNING);
    await clickOn(button() ?? guard);
    await isSaid('');
    expect(guard.state).to.equal('mine');
  });

  it('what scripts announce is not a person, neither before the release nor after', async () => {
    await arrange();
    const field = input();
    const announce = (): boolean => field.dispatchEvent(new Event('input', { bubbles: true }));
    guard.addEventListener('lock-before-release', announce);
    const timer = setInterval(announce, IDLE_MS / 10);
    try {
      await released();
      for (const name of ['input', 'click', 'keydown', 'pointerdown'])
        field.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
      expect([guard.state, client.lease.calls]).to.deep.equal(['released', ['release']]);
    } finally {
      clearInterval(timer);
    }
  });

  it('whoever goes on typing is never warned', async () => {
    await arrange(800);
    input().focus();
    for (let n = 0; n < 6; n += 1) {
      await type('x');
      await aTimeout(200);
      expect(said()).to.equal('');
    }
    expect(client.lease.calls).to.deep.equal([]);
  });

  it('cancelled, the lock is kept, and the next warning comes in its time', async () => {
    await arrange();
    let asked = 0;
    guard.addEventListener('lock-before-release', (event) => {
      asked += 1;
      event.preventDefault();
    });
    await waitUntil(() => asked === 2);
    expect([guard.state, client.lease.calls]).to.deep.equal(['mine', []]);
  });

  it('is let go only when it is saved', async () => {
    await arrange();
    let save = (): void => {};
    guard.addEventListener('lock-before-release', (event) => {
      event.waitUntil(new Promise<void>((resolve) => (save = resolve)));
    });
    await nextEvent(guard, 'lock-before-release');
    await lateEnough();
    expect([guard.state, client.lease.calls]).to.deep.equal(['mine', []]);
    save();
    await released();
  });

  it('a save that fails keeps the lock and says so, until somebody is there', async () => {
    await arrange(1_000);
    const { error } = console;
    const logged: unknown[] = [];
    console.error = (...args: unknown[]) => logged.push(args);
    guard.addEventListener('lock-before-release', (event) => {
      event.waitUntil(Promise.reject(new Error('offline')));
    });
    await isSaid('This record could not be saved.');
    expect(await axeFindings(guard)).to.deep.equal([]);
    console.error = error;
    expect([guard.state, client.lease.calls, logged.length]).to.deep.equal(['mine', [], 1]);
    input().focus();
    await press('Shift');
    await isSaid('');
  });

  it('whoever comes back while it is saved keeps the lock', async () => {
    await arrange(1_000);
    let save = (): void => {};
    guard.addEventListener('lock-before-release', (event) => {
      event.waitUntil(new Promise<void>((resolve) => (save = resolve)));
    });
    input().focus();
    await nextEvent(guard, 'lock-before-release');
    await type('x');
    save();
    await isSaid('');
    expect([guard.state, client.lease.calls]).to.deep.equal(['mine', []]);
  });

  describe('back again', () => {
    for (const [what, come] of [
      ['the tab is seen', seen],
      ['a key is pressed', () => press('Shift')],
      ['the form is clicked', () => clickOn(guard, { x: 3, y: 3 })],
    ] as const) {
      it(`${what}: it is claimed, and nothing is blocked until the answer`, async () => {
        await arrange();
        input().focus();
        await released();
        client.lease.calls.length = 0;
        await come();
        await waitUntil(() => client.lease.calls.includes('claim'));
        expect([guard.state, guard.blocked]).to.deep.equal(['claiming', false]);
        client.lease.become(MINE);
        expect(guard.blocked).to.be.false;
        await isSaid('');
      });
    }

    it('somebody else has it: says who, and what was typed stays', async () => {
      await arrange();
      input().value = 'typed';
      await released();
      seen();
      client.lease.become(heldBy('Ben'));
      await isSaid('Ben is editing this record.');
      expect([guard.blocked, input().value]).to.deep.equal([true, 'typed']);
    });

    it('somebody else has changed it: says so', async () => {
      await arrange();
      await released();
      seen();
      client.lease.become({ ...MINE, stale: true });
      await isSaid('This record has changed since you opened it.');
      expect(guard.blocked).to.be.true;
    });

    it('has a way back with claim="manual", too', async () => {
      await arrange(IDLE_MS, 'manual');
      await released();
      await isSaid('You are no longer editing this record.');
      client.lease.calls.length = 0;
      await clickOn(button() ?? guard);
      expect(client.lease.calls).to.contain('claim');
    });

    it('a network that comes back brings nobody', async () => {
      await arrange();
      await released();
      client.lease.calls.length = 0;
      window.dispatchEvent(new Event('online'));
      expect(client.lease.calls).to.deep.equal([]);
    });

    it('is watched anew', async () => {
      await arrange();
      await released();
      seen();
      client.lease.become(MINE);
      await released();
    });

    it('what the application itself let go is not taken back', async () => {
      await arrange(60_000);
      await guard.release();
      client.lease.calls.length = 0;
      seen();
      expect(client.lease.calls).to.deep.equal([]);
    });

    it('a form that moved meanwhile comes back as well; one that was removed does not', async () => {
      await arrange();
      await released();
      const scope = guard.parentElement as HTMLElement;
      scope.append(document.createElement('p'), guard);
      await guard.updateComplete;
      client.lease.calls.length = 0;
      seen();
      expect(client.lease.calls).to.deep.equal(['claim']);
      client.lease.become(MINE);
      guard.remove();
      client.lease.calls.length = 0;
      await lateEnough();
      seen();
      expect(client.lease.calls).to.deep.equal([]);
    });
  });
});
