import { expect, html, oneEvent, waitUntil } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LeaseView } from '../../components/client/index.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { lockMessage, registerMessages } from '../../components/lock-messages.ts';
import { FakeLockClient, fixtureWith, heldBy, lockOf, MINE } from './fake-lock-client.ts';
import { clickOn, nextDrawing, press } from './user-input.ts';

const part = (banner: LockBanner, name: string): HTMLElement | null =>
  banner.shadowRoot?.querySelector<HTMLElement>(`[part=${name}]`) ?? null;
const textOf = (banner: LockBanner, name: string): string =>
  (part(banner, name)?.textContent ?? '').replace(/\s+/g, ' ').trim();
const dialogOf = (banner: LockBanner): HTMLDialogElement => part(banner, 'dialog') as HTMLDialogElement;
const isQuiet = (banner: LockBanner): boolean => banner.matches(':state(quiet)');

/** Today at 14:05 by the page's clock. */
const at1405 = new Date().setHours(14, 5, 0, 0);
const sinceToday = { acquiredAtUtc: new Date(at1405 - 20 * 60_000).toISOString() };
const held = (view: Partial<LeaseView> = {}): Partial<LeaseView> =>
  heldBy('Anna Smith', {
    lock: lockOf('Anna Smith', { holderOid: 'anna', ...sinceToday }),
    endsAtMs: at1405,
    ...view,
  });

describe('<lock-banner>', () => {
  let client: FakeLockClient;
  let guard: LockGuard;
  let banner: LockBanner;

  const arrange = async (lang = 'en-GB'): Promise<void> => {
    client = new FakeLockClient();
    const page = await fixtureWith<HTMLElement>(
      client,
      html`<div lang=${lang}>
        <lock-guard entity-type="Order" entity-uid="1"><input aria-label="Title" /></lock-guard>
      </div>`,
    );
    guard = page.querySelector('lock-guard') as LockGuard;
    banner = guard.shadowRoot?.querySelector('lock-banner') as LockBanner;
    await banner.updateComplete;
  };
  const become = async (...views: readonly Partial<LeaseView>[]): Promise<void> => {
    for (const view of views) {
      client.lease.become(view);
      await banner.updateComplete;
    }
  };

  describe('what it says', () => {
    const cases: readonly (readonly [string, Partial<LeaseView>, string, string])[] = [
      [
        'held',
        held(),
        'Anna Smith is editing this record.',
        'Since 13:45. Free by 14:05 unless Anna Smith continues.',
      ],
      [
        'lost',
        held({ state: 'lost' }),
        'Anna Smith took over this record.',
        'Your text can still be copied. Free by 14:05 unless Anna Smith continues.',
      ],
      ['unknown', { state: 'unknown' }, 'Locking is not available.', 'You can go on, but so can others.'],
      [
        'error',
        { state: 'error', error: { code: 'type-not-lockable', message: 'Type "Order" is not lockable.' } },
        'Locking is not available.',
        'You can go on, but so can others. Reason: Type "Order" is not lockable. (type-not-lockable)',
      ],
      ['released', { state: 'released' }, 'You are no longer editing this record.', ''],
      [
        'old data',
        { ...MINE, stale: true },
        'This record has changed since you opened it.',
        'Your text can still be copied.',
      ],
      [
        'a change by somebody else',
        {
          ...MINE,
          foreignChange: {
            entityType: 'Order',
            entityUid: '1',
            operation: 'Updated',
            at: 1,
            by: { oid: 'driver', name: 'Driver app', kind: 'automation' },
          },
        },
        'This record has changed since you opened it.',
        'By Driver app. Your text can still be copied.',
      ],
      [
        'a deletion by nobody knows whom',
        { ...MINE, foreignChange: { entityType: 'Order', entityUid: '1', operation: 'Deleted', at: 1 } },
        'This record was deleted.',
        'Your text can still be copied.',
      ],
      [
        'a connection that was interrupted',
        { ...MINE, reconnecting: true, endsAtMs: at1405 },
        'Reconnecting…',
        'You can go on until 14:05.',
      ],
      [
        'another window',
        { ...MINE, otherSessions: 1 },
        'You are editing this record in another window, too.',
        '',
      ],
    ];
    for (const [name, view, text, detail] of cases) {
      it(`${name}: "${text}"`, async () => {
        await arrange();
        await become(view);
        expect(textOf(banner, 'text')).to.equal(text);
        expect(textOf(banner, 'detail')).to.equal(detail);
        const buttons = [...(part(banner, 'banner')?.querySelectorAll('button') ?? [])].map(
          (button) => button.textContent,
        );
        const said = [text, detail, ...buttons].filter((part) => part !== '').join(' ');
        expect(textOf(banner, 'banner'), 'and nothing else').to.equal(said);
        expect(isQuiet(banner)).to.be.false;
      });
    }

    it('nothing while the lock is one’s own', async () => {
      await arrange();
      await become(MINE);
      expect(textOf(banner, 'text')).to.equal('');
      expect(isQuiet(banner)).to.be.true;
      expect(banner.offsetHeight).to.equal(1);
    });

    it('offers to reload where the data is old or has changed', async () => {
      await arrange();
      await become({ ...MINE, stale: true });
      const action = part(banner, 'action');
      expect(action?.textContent).to.equal('Reload');
      const reload = oneEvent(guard, 'lock-reload');
      guard.addEventListener('lock-reload', (event) => event.waitUntil(Promise.resolve()));
      action?.click();
      await reload;
      await waitUntil(() => !guard.blocked);
    });

    it('offers to edit again after a release', async () => {
      await arrange();
      await become(MINE, { state: 'released' });
      part(banner, 'action')?.click();
      expect(client.lease.calls).to.deep.equal(['claim', 'claim']);
    });
  });

  describe('languages', () => {
    it('German, by the nearest lang', async () => {
      await arrange('de');
      await become(held({ canTakeOver: true }));
      expect(textOf(banner, 'text')).to.equal('Anna Smith bearbeitet diesen Datensatz.');
      expect(textOf(banner, 'detail')).to.equal(
        'Seit 13:45. Frei ab 14:05, sofern Anna Smith nicht weiterarbeitet.',
      );
      expect(part(banner, 'take-over')?.textContent).to.equal('Übernehmen');
      expect(part(banner, 'banner')?.lang).to.equal('de');
    });

    it('a region takes the texts of its language and its own times', async () => {
      await arrange('en-US');
      await become(held());
      expect(textOf(banner, 'detail')).to.equal(
        'Since 1:45 PM. Free by 2:05 PM unless Anna Smith continues.',
      );
      await arrange('de-AT');
      await become(held());
      expect(textOf(banner, 'text')).to.equal('Anna Smith bearbeitet diesen Datensatz.');
    });

    it('a language that does not exist falls back to English and the browser’s times', async () => {
      await arrange('not_a-language!');
      await become(held());
      expect(textOf(banner, 'text')).to.equal('Anna Smith is editing this record.');
      expect(textOf(banner, 'detail')).to.contain('Free by');
    });

    it('both languages have every text', () => {
      for (const [language, last] of [
        ['en', 'Edit'],
        ['de', 'Bearbeiten'],
      ] as const) {
        expect(lockMessage(language, 'claimNow')).to.equal(last);
        expect(lockMessage(language, 'language')).to.equal(language);
      }
    });

    it('an application adds and replaces texts', async () => {
      registerMessages('fr', { language: 'fr', held: '{name} modifie cette fiche.' });
      await arrange('fr-CH');
      await become(held());
      expect(textOf(banner, 'text')).to.equal('Anna Smith modifie cette fiche.');
      expect(textOf(banner, 'detail')).to.contain('unless Anna Smith continues.');
    });

    it('another day is shown with its date', async () => {
      await arrange();
      await become(held({ lock: lockOf('Anna', { acquiredAtUtc: '2026-01-15T12:00:00Z' }) }));
      expect(textOf(banner, 'detail')).to.contain('Since 15 Jan 2026,');
    });

    it('a time that is none is left out, with its sentence', async () => {
      await arrange();
      await become(held({ lock: lockOf('Anna', { acquiredAtUtc: 'yesterday' }), endsAtMs: null }));
      expect(textOf(banner, 'text')).to.equal('Anna is editing this record.');
      expect(textOf(banner, 'detail')).to.equal('');
    });

    it('names are isolated, and the box follows the direction of the page', async () => {
      await arrange('ar');
      guard.dir = 'rtl';
      await become(held({ lock: lockOf('آنا') }));
      expect(part(banner, 'text')?.querySelector('bdi')?.textContent).to.equal('آنا');
      const box = part(banner, 'banner');
      expect(box && getComputedStyle(box).borderRightWidth).to.equal('4px');
      expect(part(banner, 'detail')?.querySelector('time')?.dateTime).to.match(/^\d{4}-.*Z$/);
    });
  });

  describe('announcing', () => {
    it('has its live region from the first moment, empty, outside of what is blocked', async () => {
      await arrange();
      const region = part(banner, 'text');
      expect(region?.getAttribute('role')).to.equal('status');
      expect(textOf(banner, 'text')).to.equal('');
      expect(guard.shadowRoot?.querySelector('[part=body]')?.contains(banner)).to.be.false;
      await become(held());
      expect(part(banner, 'text')).to.equal(region);
      expect(region && getComputedStyle(region).visibility).to.equal('visible');
      expect(region?.querySelector('button')).to.equal(null);
    });

    it('announces once: renewals and the same news again change nothing in it', async () => {
      await arrange();
      await become(held());
      let changes = 0;
      const region = part(banner, 'text');
      const observer = new MutationObserver((records) => (changes += records.length));
      if (region !== null) observer.observe(region, { childList: true, characterData: true, subtree: true });
      await become(held({ endsAtMs: at1405 + 120_000 }), held({ endsAtMs: at1405 + 240_000 }));
      await nextDrawing();
      expect(changes).to.equal(0);
      expect(textOf(banner, 'detail')).to.contain('14:09');
      await become(held({ lock: lockOf('Ben') }));
      await nextDrawing();
      expect(changes).to.be.greaterThan(0);
      observer.disconnect();
    });

    it('tells whoever has waited that the record is open now, and shows nothing', async () => {
      await arrange();
      await become(held(), MINE);
      expect(textOf(banner, 'text')).to.equal('You are editing this record.');
      expect(isQuiet(banner)).to.be.true;
    });

    it('says nothing about a claim that is answered soon', async () => {
      await arrange();
      const texts: string[] = [];
      const region = part(banner, 'text');
      const observer = new MutationObserver(() => texts.push(textOf(banner, 'text')));
      if (region !== null) observer.observe(region, { childList: true, characterData: true, subtree: true });
      expect(guard.state).to.equal('claiming');
      expect(isQuiet(banner)).to.be.true;
      await become(MINE);
      await nextDrawing();
      expect(texts).to.deep.equal([]);
      observer.disconnect();
    });

    it('says after 300 ms what it is waiting for', async () => {
      const started = performance.now();
      await arrange();
      await waitUntil(() => textOf(banner, 'text') === 'Please wait…');
      expect(performance.now() - started).to.be.greaterThan(290);
    });

    it('keeps saying who it was while the form claims what has become free', async () => {
      await arrange();
      await become(held(), { lock: null, endsAtMs: null });
      expect(textOf(banner, 'text')).to.equal('Anna Smith is editing this record.');
      await become(MINE);
      expect(isQuiet(banner)).to.be.true;
    });

    it('offers a record that stays free to a form that does not claim by itself', async () => {
      await arrange();
      await become(held(), { lock: null, endsAtMs: null });
      await waitUntil(() => textOf(banner, 'text') === 'This record is free now.', undefined, {
        timeout: 3_000,
      });
      part(banner, 'action')?.click();
      expect(client.lease.calls).to.deep.equal(['claim', 'claim']);
    });
  });

  describe('taking over', () => {
    it('is offered only to whoever may', async () => {
      await arrange();
      await become(held());
      expect(part(banner, 'take-over')).to.equal(null);
      await become({ canTakeOver: true });
      expect(part(banner, 'take-over')?.textContent).to.equal('Take over');
    });

    it('asks first; with the keyboard, Escape and Cancel leave everything as it was', async () => {
      await arrange();
      await become(held({ canTakeOver: true }));
      const button = part(banner, 'take-over');
      button?.focus();
      await press('Enter');
      expect(dialogOf(banner).open).to.be.true;
      expect(textOf(banner, 'dialog')).to.contain('Take over from Anna Smith?');
      expect(banner.shadowRoot?.activeElement?.textContent).to.equal('Cancel');
      await press('Escape');
      expect(dialogOf(banner).open).to.be.false;
      expect(banner.shadowRoot?.activeElement?.textContent, 'focus is back').to.equal('Take over');
      await press('Enter');
      await press('Enter');
      expect(dialogOf(banner).open).to.be.false;
      await nextDrawing();
      expect(client.lease.calls).to.deep.equal(['claim']);
    });

    it('takes over when that is confirmed, and moves the focus into the form', async () => {
      await arrange();
      await become(held({ canTakeOver: true }));
      part(banner, 'take-over')?.focus();
      await press('Enter');
      await press('Tab');
      const closed = oneEvent(dialogOf(banner), 'close');
      await press('Enter');
      await closed;
      expect(client.lease.calls).to.deep.equal(['claim', 'takeOver']);
      await become({ ...MINE, canTakeOver: false });
      expect(document.activeElement?.localName).to.equal('input');
    });

    it('moves the focus into the form, too, where its text stayed readable', async () => {
      await arrange();
      await become(MINE, held({ state: 'lost', canTakeOver: true }));
      part(banner, 'take-over')?.focus();
      await become({ ...MINE, canTakeOver: false });
      expect(document.activeElement?.localName).to.equal('input');
    });

    it('works with the mouse, too, after the form was lost', async () => {
      await arrange();
      await become(MINE, held({ state: 'lost', canTakeOver: true }));
      await nextDrawing();
      await clickOn(part(banner, 'take-over') ?? banner);
      const closed = oneEvent(dialogOf(banner), 'close');
      await clickOn(dialogOf(banner).querySelectorAll('button')[1] ?? banner);
      await closed;
      expect(client.lease.calls).to.include('takeOver');
    });

    it('does not take from somebody else than was asked about', async () => {
      await arrange();
      await become(held({ canTakeOver: true }));
      part(banner, 'take-over')?.click();
      await become({ lock: lockOf('Ben') });
      expect(dialogOf(banner).open).to.be.false;
      await nextDrawing();
      expect(client.lease.calls).to.deep.equal(['claim']);
    });

    it('says why where it was refused', async () => {
      await arrange();
      await become(held({ canTakeOver: true }));
      client.lease.refusal = new Error('Only managers may.');
      part(banner, 'take-over')?.click();
      dialogOf(banner).querySelectorAll('button')[1]?.click();
      await waitUntil(() => textOf(banner, 'text').includes('Only managers may.'));
      expect(textOf(banner, 'text')).to.equal(
        'Anna Smith is editing this record. Taking over has failed: Only managers may.',
      );
    });
  });

  describe('whom it speaks for', () => {
    it('the guard around it, also as the application’s own banner', async () => {
      client = new FakeLockClient();
      guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard entity-type="Order" entity-uid="1"
          ><lock-banner slot="banner"></lock-banner
        ></lock-guard>`,
      );
      banner = guard.querySelector('lock-banner') as LockBanner;
      await become(held());
      expect(textOf(banner, 'text')).to.equal('Anna Smith is editing this record.');
    });

    it('the guard that `for` names, whichever of the two comes first, and one that comes anew', async () => {
      client = new FakeLockClient();
      const page = await fixtureWith<HTMLElement>(
        client,
        html`<div lang="en"><lock-banner for="form"></lock-banner></div>`,
      );
      banner = page.querySelector('lock-banner') as LockBanner;
      const add = async (): Promise<void> => {
        guard = document.createElement('lock-guard');
        Object.assign(guard, { id: 'form', entityType: 'Order', entityUid: '1' });
        page.append(guard);
        await guard.updateComplete;
      };
      await add();
      await become(held());
      expect(textOf(banner, 'text')).to.equal('Anna Smith is editing this record.');
      guard.remove();
      await banner.updateComplete;
      expect(isQuiet(banner)).to.be.true;
      await add();
      await become(held({ lock: lockOf('Ben') }));
      expect(textOf(banner, 'text')).to.equal('Ben is editing this record.');
    });

    it('a record that nobody here wants to edit', async () => {
      client = new FakeLockClient();
      banner = await fixtureWith<LockBanner>(
        client,
        html`<lock-banner lang="en" entity-type="Order" entity-uid="1"></lock-banner>`,
      );
      client.tell('1', 'Anna');
      await banner.updateComplete;
      expect(textOf(banner, 'text')).to.equal('Anna is editing this record.');
      client.tell('1', 'Me', true);
      await banner.updateComplete;
      expect(textOf(banner, 'text')).to.equal('You are editing this record.');
      client.tell('1', null);
      await banner.updateComplete;
      expect(isQuiet(banner)).to.be.true;
      banner.entityUid = '2';
      await banner.updateComplete;
      expect(client.watched).to.deep.equal(['Order/1', 'Order/2']);
      banner.remove();
      expect(client.watchCount).to.equal(0);
    });
  });

  describe('how it looks', () => {
    afterEach(() => emulateMedia({ forcedColors: 'none', colorScheme: 'light' }));

    it('takes the colours of the user’s own in forced colours', async () => {
      await emulateMedia({ forcedColors: 'active' });
      await arrange();
      await become(held({ canTakeOver: true }));
      const box = part(banner, 'banner');
      const probe = document.createElement('i');
      probe.style.color = 'CanvasText';
      document.body.append(probe);
      expect(box && getComputedStyle(box).borderTopColor).to.equal(getComputedStyle(probe).color);
      probe.remove();
    });

    it('follows a dark page', async () => {
      await emulateMedia({ colorScheme: 'dark' });
      await arrange();
      guard.style.colorScheme = 'light dark';
      await become(held());
      const box = part(banner, 'banner');
      expect(box && getComputedStyle(box).color).to.equal('rgb(255, 255, 255)');
    });
  });
});
