import { expect, html } from '@open-wc/testing';
import { emulateMedia, setViewport } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { registerMessages } from '../../components/lock-messages.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';
import { rightToLeftMessages } from './right-to-left-messages.ts';
import { bannerOf, partOf, showState, shownStates, type ShownState } from './shown-states.ts';
import { nextDrawing } from './user-input.ts';

/** Longer than a line at 320 px, with and without a place to break it. */
const LONG_NAME = 'Dr. Maximiliane-Friederike Freifrau von und zu Hohenstaufen-Donaudampfschifffahrt';
/** WCAG 1.4.12. */
const TEXT_SPACING = `* {
  line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

const arrange = async (
  state: ShownState,
  { lang = 'en', dir = 'ltr' }: { readonly lang?: string; readonly dir?: 'ltr' | 'rtl' } = {},
): Promise<LockGuard> => {
  const client = new FakeLockClient();
  const { blocking = 'inert', claim = 'open' } = state.settings ?? {};
  const page = await fixtureWith<HTMLElement>(
    client,
    html`<div lang=${lang} dir=${dir}>
      <lock-guard entity-type="Order" entity-uid="1" blocking=${blocking} claim=${claim}
        ><input name="title"
      /></lock-guard>
    </div>`,
  );
  const guard = page.querySelector('lock-guard') as LockGuard;
  await showState(state, guard, client);
  await nextDrawing();
  return guard;
};

/** What is drawn of the banner: the box and all that is in it, or in the open question. */
const drawn = (guard: LockGuard): readonly HTMLElement[] => {
  const root = partOf(guard, 'dialog')?.matches('[open]') ? partOf(guard, 'dialog') : partOf(guard, 'banner');
  if (root === null) throw new Error('The banner is not drawn.');
  return [root, ...root.querySelectorAll<HTMLElement>(':not(svg, svg *, dialog, dialog *, time, bdi)')];
};

/** What reaches out of the window, or is cut off. */
const tooWide = (guard: LockGuard): readonly string[] =>
  drawn(guard)
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      return left < 0 || right > document.documentElement.clientWidth || isCut;
    })
    .map((element) => element.outerHTML.replace(/<!--.*?-->/g, '').slice(0, 200));

const isSilent = ({ name }: ShownState): boolean => /^(idle|mine)$/.test(name);

describe('the banner’s layout', () => {
  describe('at 400 % zoom, a window of 320 px (WCAG 1.4.10)', () => {
    beforeEach(() => setViewport({ width: 320, height: 640 }));
    after(() => setViewport({ width: 800, height: 600 }));

    for (const state of shownStates(LONG_NAME).filter((one) => !isSilent(one))) {
      it(`fits, with a long name, while ${state.name}`, async () => {
        const guard = await arrange(state);
        expect(tooWide(guard)).to.deep.equal([]);
        if (state.asks === true) {
          const { left, right } = partOf(guard, 'dialog')?.getBoundingClientRect() ?? { left: 0, right: 0 };
          expect(
            [left, 320 - right].every((margin) => margin >= 8),
            'the page is seen beside it',
          ).to.be.true;
        }
        expect(document.scrollingElement?.scrollWidth).to.equal(320);
      });
    }

    it('fits with the spacing that readers may set (WCAG 1.4.12), and hides nothing', async () => {
      for (const state of shownStates(LONG_NAME).filter(({ name }) =>
        /^(held, take|the q|error)/.test(name),
      )) {
        const guard = await arrange(state);
        const style = document.createElement('style');
        style.textContent = TEXT_SPACING;
        bannerOf(guard).shadowRoot?.append(style);
        await nextDrawing();
        expect(tooWide(guard), state.name).to.deep.equal([]);
        for (const element of drawn(guard)) {
          const isHidden = element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0;
          expect(isHidden, `${state.name}: ${element.outerHTML}`).to.be.false;
        }
      }
    });
  });

  describe('right to left', () => {
    before(() => registerMessages('he', rightToLeftMessages()));
    after(() => registerMessages('he', {}));

    const held = shownStates('דנה').filter(({ name }) => name === 'held, take-over allowed');
    const leftOf = (one: Element | null, other: Element | null): boolean =>
      one !== null &&
      other !== null &&
      one.getBoundingClientRect().right <= other.getBoundingClientRect().left;
    /** Where the first line of the text is: its distance from both sides of its box. */
    const textEdges = (guard: LockGuard, part: string) => {
      const box = partOf(guard, part);
      const range = document.createRange();
      if (box !== null) range.selectNodeContents(box);
      const [line, around] = [range.getBoundingClientRect(), box?.getBoundingClientRect()];
      return { left: line.left - (around?.left ?? 0), right: (around?.right ?? 0) - line.right };
    };

    for (const lang of ['he', 'en']) {
      it(`has its sign on the right, its text beside it, its buttons on the left: texts in ${lang}`, async () => {
        for (const state of held) {
          const guard = await arrange(state, { lang, dir: 'rtl' });
          const [icon, text, button] = ['icon', 'text', 'take-over'].map((part) =>
            part === 'icon'
              ? (bannerOf(guard).shadowRoot?.querySelector('svg') ?? null)
              : partOf(guard, part),
          );
          expect(leftOf(button ?? null, text ?? null), 'button, then text').to.be.true;
          expect(leftOf(text ?? null, icon ?? null), 'text, then sign').to.be.true;
          for (const part of ['text', 'detail']) {
            expect(textEdges(guard, part).right, `${part} is at the sign`).to.be.lessThan(1);
            expect(textEdges(guard, part).left, `${part} is not at the buttons`).to.be.greaterThan(10);
          }
        }
      });
    }

    it('lets a text in the other direction run in its own, so that its full stop ends it', async () => {
      for (const state of held) {
        const guard = await arrange(state, { lang: 'en', dir: 'rtl' });
        const text = partOf(guard, 'text');
        expect(text && getComputedStyle(text).direction).to.equal('ltr');
        const translated = partOf(await arrange(state, { lang: 'he', dir: 'rtl' }), 'text');
        expect(translated && getComputedStyle(translated).direction).to.equal('rtl');
      }
    });

    it('uses logical properties alone', () => {
      const sheets = [customElements.get('lock-banner'), customElements.get('lock-guard')].map(
        (element) => (element as unknown as { readonly styles: { readonly cssText: string } }).styles.cssText,
      );
      for (const cssText of sheets) {
        const names = [...cssText.matchAll(/([a-z-]+)\s*:[^;{}]+;/g)].map(([, name = '']) => name);
        expect(names.length).to.be.greaterThan(0);
        const isPhysical = /(?:^|-)(?:left|right|top|bottom)(?:-|$)|^(?:min-|max-)?(?:width|height)$/;
        expect(names.filter((name) => isPhysical.test(name))).to.deep.equal([]);
      }
    });
  });

  it('moves nothing, with and without a wish for that', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await emulateMedia({ reducedMotion });
      for (const state of shownStates().filter(({ name }) => /^(held|the q)/.test(name))) {
        const guard = await arrange(state);
        expect(bannerOf(guard).shadowRoot?.getAnimations().length).to.equal(0);
        for (const element of drawn(guard)) {
          expect(getComputedStyle(element).transitionDuration).to.equal('0s');
        }
      }
    }
    await emulateMedia({ reducedMotion: 'no-preference' });
  });
});
