// The page that scripts/screenshots.mjs photographs: one scene by itself, or a sheet of them.
import { ContextProvider } from '@lit/context';
import { html, render } from 'lit';
import '@material/web/button/outlined-button.js';
import '../../components/define.ts';
import { clientContext } from '../../components/client-context.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { registerMessages } from '../../components/lock-messages.ts';
import { FakeLockClient } from './fake-lock-client.ts';
import { rightToLeftMessages } from './right-to-left-messages.ts';
import { showState, shownStates } from './shown-states.ts';
import { FLUENT_TOKENS, MATERIAL_DARK, themeRecipe } from './theme-recipe.ts';

const GRID = 'a grid';
const settings = new URLSearchParams(location.search);
const theme = settings.get('theme') ?? '';
const scheme = settings.get('scheme') === 'dark' ? 'dark' : 'light';
const { documentElement: root, body } = document;
const holder = settings.get('holder') ?? (root.dir === 'rtl' ? 'דנה לוי' : 'Anna Smith');

if (root.lang === 'he') registerMessages('he', rightToLeftMessages());
const scene = settings.get('scene');
if (scene === null) showSheet();
else {
  await wear();
  if (scene === GRID) showGrid();
  else await showGuard(scene);
}
body.dataset['ready'] = '';

/** Many scenes, each in a window of its own: a modal question would cover the others. */
function showSheet(): void {
  const wanted = settings.get('scenes')?.split('|');
  const names = [...shownStates().map(({ name }) => name), GRID];
  const themes = settings.get('themes')?.split('|') ?? [''];
  const scenes = themes.flatMap((worn) =>
    (wanted ?? names).map((name) => {
      const [themeName = '', themeScheme = ''] = worn.split(', ');
      const query = new URLSearchParams({ scene: name, holder, theme: themeName, scheme: themeScheme });
      return { caption: [worn, name].filter((text) => text !== '').join(': '), query };
    }),
  );
  body.className = 'sheet';
  render(
    scenes.map(
      ({ caption, query }) =>
        html`<figure>
          <figcaption>${caption}</figcaption>
          <iframe title=${caption} src="?${query.toString()}"></iframe>
        </figure>`,
    ),
    body,
  );
}

/** The theme's own style sheets, and the recipe. */
async function wear(): Promise<void> {
  if (theme === '') return;
  const sheets = [await themeRecipe(theme)];
  root.style.colorScheme = scheme;
  if (theme === 'Bootstrap 5') {
    root.dataset['bsTheme'] = scheme;
    sheets.unshift(await (await fetch('/bootstrap.css')).text());
  } else if (theme === 'Material 3') {
    const dark = `${MATERIAL_DARK} background: #141218; color: #e6e0e9`;
    sheets.push(
      `:root { font-family: Roboto, sans-serif; ${scheme === 'dark' ? dark : 'background: #fef7ff'} }`,
    );
  } else {
    sheets.push(`:root { ${FLUENT_TOKENS[scheme]} background: var(--colorNeutralBackground1);
      color: var(--colorNeutralForeground1); font: 14px / 20px var(--fontFamilyBase) }`);
  }
  for (const css of sheets)
    document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
}

/** A client for everything in the page that is not in it yet. */
function provide(): FakeLockClient {
  const client = new FakeLockClient();
  new ContextProvider(body, { context: clientContext, initialValue: client.asClient });
  return client;
}

async function showGuard(name: string): Promise<void> {
  const state = shownStates(holder).find((one) => one.name === name);
  if (state === undefined) throw new Error(`There is no scene ${name}.`);
  const client = provide();
  const { blocking = 'inert', claim = 'open' } = state.settings ?? {};
  const own: Readonly<Record<string, unknown>> = {
    'Bootstrap 5': html`<button class="btn btn-outline-secondary" type="button">Approve</button>`,
    'Material 3': html`<md-outlined-button>Approve</md-outlined-button>`,
  };
  render(
    html`<lock-guard entity-type="Order" entity-uid="1" blocking=${blocking} claim=${claim}>
      <form>
        <label>Title <input class="form-control" value="Berth 12, Rotterdam" /></label>
        ${own[theme] ?? html`<button type="button">Approve</button>`}
      </form>
    </lock-guard>`,
    body,
  );
  const guard = body.querySelector<LockGuard>('lock-guard');
  await guard?.updateComplete;
  if (guard !== null) await showState(state, guard, client);
}

function showGrid(): void {
  const client = provide();
  render(
    html`<table class="table">
      <tbody>
        ${['1', '2', '3'].map(
          (uid) =>
            html`<tr>
              <td>Order ${uid}</td>
              <td>Berth ${uid}</td>
              <td><locked-by-cell entity-type="Order" entity-uid=${uid}></locked-by-cell></td>
            </tr>`,
        )}
      </tbody>
    </table>`,
    body,
  );
  client.tell('1', holder);
  client.tell('2', 'Me', true);
}
