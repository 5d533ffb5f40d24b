import { expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '@material/web/button/filled-button.js';
import '@material/web/button/outlined-button.js';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { textContrast } from './contrast.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';
import { partOf, showState, shownStates } from './shown-states.ts';
import { FLUENT_TOKENS, MATERIAL_DARK, themeRecipe } from './theme-recipe.ts';
import { nextDrawing } from './user-input.ts';

/** Removed after each test. */
const sheets: HTMLStyleElement[] = [];
function addSheet(css: string): void {
  const sheet = document.createElement('style');
  sheet.textContent = css;
  document.head.append(sheet);
  sheets.push(sheet);
}

/** A guard whose question is open, beside what the page has of its own. */
async function arrange(neighbours = html``): Promise<{ guard: LockGuard; page: HTMLElement }> {
  const client = new FakeLockClient();
  const page = await fixtureWith<HTMLElement>(
    client,
    html`<div>
      ${neighbours}<lock-guard lang="en" entity-type="Order" entity-uid="1"><input /></lock-guard>
    </div>`,
  );
  const guard = page.querySelector('lock-guard') as LockGuard;
  for (const state of shownStates().filter(({ asks }) => asks === true))
    await showState(state, guard, client);
  await nextDrawing();
  return { guard, page };
}

const styleOf = (element: Element | null, names: readonly string[]): Readonly<Record<string, string>> => {
  if (element === null) throw new Error('There is no such element.');
  const style = getComputedStyle(element);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
};
const heightOf = (element: Element | null): number | undefined => element?.getBoundingClientRect().height;

function expectContrast(guard: LockGuard, scheme: string): void {
  for (const part of ['text', 'detail', 'take-over', 'cancel', 'confirm', 'dialog']) {
    const element = partOf(guard, part);
    if (element === null) throw new Error(`There is no ${part}.`);
    expect(textContrast(element), `${part}, ${scheme}`).to.be.at.least(4.5);
  }
}

describe('the recipes of docs/theming.md', () => {
  afterEach(async () => {
    for (const sheet of sheets.splice(0)) sheet.remove();
    document.documentElement.removeAttribute('data-bs-theme');
    document.documentElement.removeAttribute('style');
    await emulateMedia({ forcedColors: 'none' });
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`Bootstrap 5: beside an alert and its buttons, ${scheme}`, async () => {
      addSheet(await (await fetch('/node_modules/bootstrap/dist/css/bootstrap.css')).text());
      addSheet(await themeRecipe('Bootstrap 5'));
      document.documentElement.dataset['bsTheme'] = scheme;
      const { guard, page } = await arrange(
        html`<div class="alert alert-warning">!</div>
          <button class="btn btn-primary">Take over</button>`,
      );
      const shape = ['border-top-left-radius', 'padding-top', 'padding-left', 'font-family', 'font-size'];
      const button = page.querySelector('.btn');
      expect(styleOf(partOf(guard, 'banner'), shape)).to.deep.equal(
        styleOf(page.querySelector('.alert'), shape),
      );
      expect(styleOf(partOf(guard, 'take-over'), shape)).to.deep.equal(styleOf(button, shape));
      expect(heightOf(partOf(guard, 'take-over'))).to.equal(heightOf(button));
      const colours = ['background-color', 'color', 'border-top-color'];
      expect(styleOf(partOf(guard, 'confirm'), colours)).to.deep.equal(styleOf(button, colours));
      expectContrast(guard, scheme);
    });

    it(`Material 3: beside its buttons, ${scheme}`, async () => {
      if (scheme === 'dark') addSheet(`:root { ${MATERIAL_DARK} }`);
      addSheet(await themeRecipe('Material 3'));
      document.documentElement.style.background = scheme === 'dark' ? '#141218' : '#fef7ff';
      const { guard, page } = await arrange(
        html`<md-filled-button>Take over</md-filled-button><md-outlined-button>Cancel</md-outlined-button>`,
      );
      const [filled, outlined] = ['filled', 'outlined'].map(
        (kind) => page.querySelector(`md-${kind}-button`) as HTMLElement,
      );
      const partIn = (button: HTMLElement | undefined, selector: string): Element | null =>
        button?.shadowRoot?.querySelector(selector) ?? null;
      expect(heightOf(partOf(guard, 'take-over'))).to.equal(heightOf(outlined ?? null));
      expect(heightOf(partOf(guard, 'confirm'))).to.equal(heightOf(filled ?? null));
      const font = ['font-family', 'font-size', 'font-weight', 'line-height', 'color'];
      for (const [part, button] of [
        ['take-over', outlined],
        ['confirm', filled],
      ] as const) {
        const { 'font-family': family = '', ...others } = styleOf(partOf(guard, part), font);
        const { 'font-family': theirs = '', ...expected } = styleOf(partIn(button, '.label'), font);
        expect(others, part).to.deep.equal(expected);
        expect(family, part).to.contain(theirs);
      }
      expect(styleOf(partOf(guard, 'confirm'), ['background-color'])).to.deep.equal(
        styleOf(partIn(filled, '.background'), ['background-color']),
      );
      expectContrast(guard, scheme);
    });

    it(`Fluent 2: by its variables, ${scheme}`, async () => {
      addSheet(`:root { ${FLUENT_TOKENS[scheme]} background: var(--colorNeutralBackground1); }`);
      addSheet(await themeRecipe('Fluent 2'));
      const { guard } = await arrange();
      expect(heightOf(partOf(guard, 'take-over'))).to.equal(32);
      expect(heightOf(partOf(guard, 'confirm'))).to.equal(32);
      const shape = ['border-top-left-radius', 'font-size', 'font-weight', 'line-height'];
      expect(styleOf(partOf(guard, 'confirm'), shape)).to.deep.equal({
        'border-top-left-radius': '4px',
        'font-size': '14px',
        'font-weight': '600',
        'line-height': '20px',
      });
      expectContrast(guard, scheme);
    });
  }

  it('leave forced colours to the user, whatever the recipe', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const isForced = (element: Element | null, property: string, keyword: string): boolean => {
      const probe = document.createElement('i');
      probe.style.color = keyword;
      document.body.append(probe);
      const [forced] = [getComputedStyle(probe).color];
      probe.remove();
      return element !== null && getComputedStyle(element).getPropertyValue(property) === forced;
    };
    for (const recipe of ['Bootstrap 5', 'Material 3', 'Fluent 2']) {
      addSheet(`:root { ${FLUENT_TOKENS.light} --bs-body-color: #123456; --bs-body-bg: #fedcba }`);
      addSheet(await themeRecipe(recipe));
      const { guard } = await arrange();
      expect(isForced(partOf(guard, 'text'), 'color', 'CanvasText'), `${recipe}: text`).to.be.true;
      expect(isForced(partOf(guard, 'banner'), 'background-color', 'Canvas'), `${recipe}: box`).to.be.true;
      expect(isForced(partOf(guard, 'confirm'), 'color', 'ButtonText'), `${recipe}: button`).to.be.true;
      for (const sheet of sheets.splice(0)) sheet.remove();
    }
  });
});
