import { expect, html, waitUntil } from '@open-wc/testing';
import '../../components/define.ts';
import type { LeaseView } from '../../components/client/index.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf } from './fake-lock-client.ts';
import { bannerOf, partOf } from './shown-states.ts';
import { nextDrawing } from './user-input.ts';

/** Everything that a live region says from now on, one entry for each change of its text. */
function listenTo(region: Element | null): readonly string[] {
  const said: string[] = [];
  if (region === null) throw new Error('There is no live region.');
  new MutationObserver(() => said.push(region.textContent.replace(/\s+/g, ' ').trim())).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  return said;
}

const regionOf = (banner: LockBanner): Element | null =>
  banner.shadowRoot?.querySelector('[role=status]') ?? null;

/** So long nothing may be said of a claim, and no longer than this it takes until it is. */
const WAIT_MS = 300;

describe('announcements (R8, F34)', () => {
  let client: FakeLockClient;
  let guard: LockGuard;
  let said: readonly string[];

  const arrange = async (before: Partial<LeaseView> = {}): Promise<void> => {
    client = new FakeLockClient();
    const parent = document.createElement('div');
    guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard lang="en-GB" entity-type="Order" entity-uid="1"><input /></lock-guard>`,
      parent,
    );
    client.lease.become(before);
    said = listenTo(regionOf(bannerOf(guard)));
  };
  const become = async (view: Partial<LeaseView>): Promise<void> => {
    client.lease.become(view);
    await bannerOf(guard).updateComplete;
    await nextDrawing();
  };
  const acquiredAtUtc = new Date(Date.now() - 60_000).toISOString();
  const anna = lockOf('Anna', { acquiredAtUtc });
  const me = lockOf('Me', { acquiredAtUtc });
  const endsIn = (minutes: number) => ({ endsAtMs: Date.now() + minutes * 60_000 });

  it('tell a whole story once: claiming, held, renewed three times, free, mine, lost', async () => {
    await arrange();
    await waitUntil(() => said.length > 0, 'the wait is announced');
    await become({ ...heldBy('Anna', { lock: anna }), ...endsIn(5) });
    for (const renewal of [1, 2, 3]) {
      await become({ lock: { ...anna, at: 1 + renewal }, ...endsIn(5 + 2 * renewal) });
    }
    expect(partOf(guard, 'detail')?.textContent, 'the eye is told of the renewals').to.contain('Free by');
    await become({ lock: null, endsAtMs: null });
    await become({ state: 'mine', lock: me, ...endsIn(5) });
    for (const renewal of [1, 2, 3]) {
      await become({ lock: { ...me, at: 10 + renewal }, ...endsIn(5 + 2 * renewal) });
    }
    await become({ state: 'lost', lock: lockOf('Ben', { acquiredAtUtc }), ...endsIn(5) });
    expect(said).to.deep.equal([
      'Please wait…',
      'Anna is editing this record.',
      'You are editing this record.',
      'Ben took over this record.',
    ]);
  });

  it('never say anything of a claim that is answered within 300 ms', async () => {
    await arrange();
    const started = performance.now();
    while (performance.now() - started < WAIT_MS * 0.6) await nextDrawing();
    await become({ state: 'mine', lock: me, ...endsIn(5) });
    // Longer than a wait that was not called off would need.
    while (performance.now() - started < WAIT_MS * 2) await nextDrawing();
    expect(said).to.deep.equal([]);
  });

  it('are silent when the element draws again, or moves', async () => {
    await arrange();
    await become(heldBy('Anna', { lock: anna }));
    const banner = bannerOf(guard);
    const before = said.length;
    banner.requestUpdate();
    guard.requestUpdate();
    await nextDrawing();
    const place = document.createElement('div');
    guard.parentElement?.append(place);
    place.append(guard);
    await nextDrawing();
    expect(said.slice(before)).to.deep.equal([]);
    expect(regionOf(banner)?.textContent).to.contain('Anna');
  });

  it('hold no times, so that no countdown is read out, and no controls', async () => {
    await arrange();
    for (const view of [
      heldBy('Anna', { lock: anna, canTakeOver: true }),
      { state: 'mine', reconnecting: true, lock: me, ...endsIn(3) },
      { state: 'mine', reconnecting: false, stale: true },
    ] as const) {
      await become(view);
      expect(regionOf(bannerOf(guard))?.querySelectorAll('time, button, dialog, a').length).to.equal(0);
    }
    expect(partOf(guard, 'action')?.textContent).to.equal('Reload');
  });

  it('come into a region that was there before, even where the banner comes last', async () => {
    await arrange();
    await become(heldBy('Anna', { lock: anna }));
    const banner = document.createElement('lock-banner');
    guard.id = 'orders-form';
    banner.setAttribute('for', guard.id);
    guard.parentElement?.prepend(banner);
    await banner.updateComplete;
    const region = regionOf(banner);
    expect(region?.textContent.trim(), 'empty at first').to.equal('');
    const late = listenTo(region);
    await waitUntil(() => late.length > 0, 'then the news');
    expect(late).to.deep.equal(['Anna is editing this record.']);
  });

  it('tell why a take-over was refused, beside who has the record', async () => {
    await arrange();
    await become(heldBy('Anna', { lock: anna, canTakeOver: true }));
    client.lease.refusal = new Error('Only managers may.');
    partOf(guard, 'take-over')?.click();
    partOf(guard, 'confirm')?.click();
    await waitUntil(() => said.length > 1);
    expect(said.at(-1)).to.equal('Anna is editing this record. Taking over has failed: Only managers may.');
    await become({ lock: { ...anna, at: 5 } });
    expect(said.length, 'once').to.equal(2);
  });
});
