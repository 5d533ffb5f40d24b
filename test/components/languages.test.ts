import { expect, html, waitUntil } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { es } from '../../components/locales/es.ts';
import { fr } from '../../components/locales/fr.ts';
import { registerMessages } from '../../components/lock-messages.ts';
import { FakeLockClient, fixtureWith, lockOf, MINE } from './fake-lock-client.ts';
import { rightToLeftMessages } from './right-to-left-messages.ts';
import { bannerOf, partOf, showState, shownStates } from './shown-states.ts';

const textOf = (guard: LockGuard, part: string): string =>
  (partOf(guard, part)?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('languages (R31)', () => {
  let client: FakeLockClient;
  let page: HTMLElement;
  let guard: LockGuard;
  let cell: HTMLElementTagNameMap['locked-by-cell'];

  const arrange = async (lang: string): Promise<void> => {
    client = new FakeLockClient();
    page = await fixtureWith<HTMLElement>(
      client,
      html`<div lang=${lang}>
        <lock-guard entity-type="Order" entity-uid="1"><input /></lock-guard>
        <locked-by-cell entity-type="Order" entity-uid="2"></locked-by-cell>
      </div>`,
    );
    guard = page.querySelector('lock-guard') as LockGuard;
    cell = page.querySelector('locked-by-cell') as typeof cell;
    client.tell('2', 'Me', true);
    client.lease.become(MINE);
    client.lease.become({
      state: 'lost',
      canTakeOver: true,
      lock: lockOf('Anna', { acquiredAtUtc: new Date().toISOString() }),
      endsAtMs: new Date().setHours(14, 5, 0, 0),
    });
    await bannerOf(guard).updateComplete;
  };
  const bodyLabel = (): string | null | undefined => guard.body?.ariaLabel;
  const cellText = (): string | null | undefined => cell.shadowRoot?.textContent;

  it('texts already shown follow a lang that changes around them', async () => {
    await arrange('en-US');
    expect(textOf(guard, 'text')).to.equal('Anna took over this record.');
    page.lang = 'de';
    await waitUntil(() => textOf(guard, 'text') === 'Anna hat diesen Datensatz übernommen.');
    expect(textOf(guard, 'detail')).to.contain('Frei ab 14:05');
    expect(textOf(guard, 'take-over')).to.equal('Übernehmen');
    expect(partOf(guard, 'banner')?.lang).to.equal('de');
    await waitUntil(() => bodyLabel() === '\u2068Anna\u2069 hat diesen Datensatz übernommen.');
    expect(cellText()).to.equal('Sie');
  });

  it('texts already shown follow a language that is registered later', async () => {
    await arrange('es-MX');
    expect(textOf(guard, 'text')).to.equal('Anna took over this record.');
    registerMessages('es', es);
    await waitUntil(() => textOf(guard, 'text') === 'Anna ha tomado el control de este registro.');
    expect(cellText()).to.equal('Usted');
    expect(partOf(guard, 'banner')?.lang).to.equal('es');
    expect(textOf(guard, 'detail'), 'times stay those of the region').to.match(/2:05\sp\.\s?m\./);
  });

  it('an element that has left the page no longer listens', async () => {
    await arrange('en');
    page.remove();
    await bannerOf(guard).updateComplete;
    const before = textOf(guard, 'text');
    registerMessages('en', { lost: '{name} has it.' });
    await bannerOf(guard).updateComplete;
    expect(textOf(guard, 'text')).to.equal(before);
    registerMessages('en', { lost: '{name} took over this record.' });
  });

  it('a sentence stays one element of text, whatever its language does with the name', async () => {
    registerMessages('he', rightToLeftMessages());
    registerMessages('fr', fr);
    for (const lang of ['he', 'fr']) {
      await arrange(lang);
      expect(partOf(guard, 'text')?.querySelectorAll('bdi').length).to.equal(1);
      expect(partOf(guard, 'text')?.querySelectorAll(':not(bdi)').length).to.equal(0);
      expect(textOf(guard, 'text')).to.match(/^Anna .+\.$/);
    }
  });

  it('no text of any state is left in English once a language is complete', async () => {
    registerMessages('fr', fr);
    for (const state of shownStates('Zoë').filter(({ name }) => !/^(idle|mine)$/.test(name))) {
      // What a server says is in its own language.
      if (state.name === 'error') continue;
      client = new FakeLockClient();
      const { blocking = 'inert', claim = 'open' } = state.settings ?? {};
      guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard
          lang="fr"
          entity-type="Order"
          entity-uid="1"
          blocking=${blocking}
          claim=${claim}
        ></lock-guard>`,
      );
      await showState(state, guard, client);
      expect(textOf(guard, 'banner'), state.name).not.to.match(
        /\b(is|are|this|record|you|your|can|by|edit|reload|take|please|locking)\b/i,
      );
    }
  });
});
