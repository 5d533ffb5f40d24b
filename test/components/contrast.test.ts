import { expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { contrastWith, textContrast } from './contrast.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';
import { bannerOf, partOf, showState, shownStates } from './shown-states.ts';

/** WCAG 2.2, 1.4.3: text. */
const TEXT = 4.5;
/** WCAG 2.2, 1.4.11: signs, and the borders of controls. */
const SIGN = 3;

describe('contrast (WCAG 1.4.3, 1.4.11)', () => {
  afterEach(async () => {
    document.documentElement.removeAttribute('style');
    await emulateMedia({ colorScheme: 'light' });
    await emulateMedia({ forcedColors: 'none' });
  });

  it('is measured rightly', () => {
    const probe = document.createElement('p');
    Object.assign(probe.style, { color: '#212529', background: '#fff' });
    document.body.append(probe);
    expect(textContrast(probe)).to.be.closeTo(15.43, 0.01);
    expect(contrastWith('rgb(0 0 0 / 0.5)', probe)).to.be.closeTo(3.98, 0.05);
    probe.remove();
  });

  it('is the user’s in forced colours: no button is filled, as text would get a background of its own', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const client = new FakeLockClient();
    const guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard entity-type="Order" entity-uid="1"><input /></lock-guard>`,
    );
    for (const state of shownStates().filter(({ asks }) => asks === true)) {
      await showState(state, guard, client);
    }
    const colours = ['cancel', 'confirm', 'take-over'].map((part) => {
      const { color, backgroundColor } = getComputedStyle(partOf(guard, part) ?? guard);
      return [color, backgroundColor].join();
    });
    expect(new Set(colours).size, colours.join(' | ')).to.equal(1);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is enough in every state in ${colorScheme}: text, buttons, border and sign`, async () => {
      await emulateMedia({ colorScheme });
      document.documentElement.style.cssText = 'color-scheme: light dark; background: Canvas';
      for (const state of shownStates().filter(({ name }) => !/^(idle|mine|free|claiming)$/.test(name))) {
        const client = new FakeLockClient();
        const guard = await fixtureWith<LockGuard>(
          client,
          html`<lock-guard entity-type="Order" entity-uid="1"><input /></lock-guard>`,
        );
        await showState(state, guard, client);
        for (const part of ['text', 'detail', 'action', 'take-over', 'dialog', 'cancel', 'confirm']) {
          const element = partOf(guard, part);
          if (element !== null) expect(textContrast(element), `${state.name}: ${part}`).to.be.at.least(TEXT);
        }
        const box = partOf(guard, 'banner');
        const { borderTopColor } = getComputedStyle(box ?? guard);
        expect(contrastWith(borderTopColor, guard), `${state.name}: border`).to.be.at.least(SIGN);
        const icon = bannerOf(guard).shadowRoot?.querySelector('svg') ?? guard;
        expect(contrastWith(getComputedStyle(icon).stroke, box), `${state.name}: sign`).to.be.at.least(SIGN);
      }
    });
  }
});
