import { html, type TemplateResult } from 'lit';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { shadowBox } from './shadow-box.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';
import { themeRecipe } from './theme-recipe.ts';
import { FLUENT_SHEET, MATERIAL_SHEET, WITH_SCHEME } from './theme-sheets.ts';

const SCHEME = {
  kind: 'choice',
  name: 'scheme',
  label: 'Scheme',
  options: ['light', 'dark'],
  initial: 'light',
} as const;

const lockPage = (stage: StoryStage, form: TemplateResult): TemplateResult => {
  const { entityType, entityUid } = stage.ref();
  return annasPage(
    stage,
    html`<lock-guard lang="en" entity-type=${entityType} entity-uid=${entityUid}>${form}</lock-guard>`,
  );
};

const lockHtml = (head: string, form: string) => `${head}
<!-- The recipe of docs/theming.md -->
<link rel="stylesheet" href="rowlock-theme.css" />

<lock-guard entity-type="Customer" entity-uid="C-1188">
  <form>
${form}
  </form>
</lock-guard>`;

const PLAIN_FIELDS = `    <label>Company <input name="name" value="Transportes Núñez S.L." /></label>
    <label>Credit limit in EUR <input name="credit" type="number" value="25000" /></label>`;

const common = { group: 'Looks', controls: [SCHEME], actions: [benLetsGo, benTakesOver] } as const;
/** These records exist in the story alone. */
const stay = (event: Event) => event.preventDefault();
const benHolds = (stage: StoryStage) => stage.hold('ben', stage.ref());

/** Beside Bootstrap's own form. */
export const looksBootstrap: Story = {
  ...common,
  id: 'looks-bootstrap',
  title: 'Bootstrap 5',
  about:
    'The banner in Bootstrap’s colours, corners and button sizes, by the recipe of docs/theming.md, beside a form of Bootstrap 5.3 itself. Switch the scheme, press Take over: the question follows, too. All of it stands in a shadow tree, so that the rest of the catalogue keeps its look.',
  begin: benHolds,
  render: (stage, { scheme }) =>
    shadowBox({
      key: [stage, scheme],
      styles: async () => {
        const { default: css } = await import('bootstrap/dist/css/bootstrap.min.css?inline');
        return [css, await themeRecipe('Bootstrap 5'), WITH_SCHEME];
      },
      content: () =>
        html`<div class="box" data-bs-theme=${scheme} data-scheme=${scheme}>
          ${lockPage(
            stage,
            html`<form @submit=${stay}>
              <label class="form-label w-100"
                >Company <input class="form-control" name="name" value="Transportes Núñez S.L."
              /></label>
              <label class="form-label w-100"
                >Credit limit in EUR <input class="form-control" name="credit" type="number" value="25000"
              /></label>
              <button class="btn btn-primary">Save customer</button>
            </form>`,
          )}
        </div>`,
    }),
  source: ({ scheme }) =>
    lockHtml(
      `<link rel="stylesheet" href="bootstrap.min.css" />
<script>document.documentElement.dataset.bsTheme = '${String(scheme)}';</script>`,
      `    <label class="form-label">Company
      <input class="form-control" name="name" value="Transportes Núñez S.L." /></label>
    <label class="form-label">Credit limit in EUR
      <input class="form-control" name="credit" type="number" value="25000" /></label>
    <button class="btn btn-primary">Save customer</button>`,
    ),
};

/** Beside Material's own buttons. */
export const looksMaterial: Story = {
  ...common,
  id: 'looks-material',
  title: 'Material 3',
  about:
    'The banner with the tokens of Material 3, by the recipe of docs/theming.md, beside a button of @material/web. Dark sets other tokens and nothing else. All of it stands in a shadow tree.',
  begin: benHolds,
  render: (stage, { scheme }) =>
    shadowBox({
      key: [stage, scheme],
      styles: async () => {
        await import('@material/web/button/filled-button.js');
        return [MATERIAL_SHEET, await themeRecipe('Material 3'), WITH_SCHEME];
      },
      content: () =>
        html`<div class="box" data-scheme=${scheme}>
          ${lockPage(
            stage,
            html`<form @submit=${stay}>
              <label>Company <input name="name" value="Transportes Núñez S.L." /></label>
              <label>Credit limit in EUR <input name="credit" type="number" value="25000" /></label>
              <md-filled-button type="button">Save customer</md-filled-button>
            </form>`,
          )}
        </div>`,
    }),
  source: () =>
    lockHtml(
      `<script type="module">import '@material/web/button/filled-button.js';</script>`,
      `${PLAIN_FIELDS}
    <md-filled-button>Save customer</md-filled-button>`,
    ),
};

/** With Fluent's variables. */
export const looksFluent: Story = {
  ...common,
  id: 'looks-fluent',
  title: 'Fluent 2',
  about:
    'The banner with the variables that FluentProvider (React) and setTheme (web components) put on the page, by the recipe of docs/theming.md. The form is plain HTML with the same variables. All of it stands in a shadow tree.',
  begin: benHolds,
  render: (stage, { scheme }) =>
    shadowBox({
      key: [stage, scheme],
      styles: async () => [FLUENT_SHEET, await themeRecipe('Fluent 2'), WITH_SCHEME],
      content: () =>
        html`<div class="box" data-scheme=${scheme}>
          ${lockPage(
            stage,
            html`<form @submit=${stay}>
              <label>Company <input name="name" value="Transportes Núñez S.L." /></label>
              <label>Credit limit in EUR <input name="credit" type="number" value="25000" /></label>
              <button>Save customer</button>
            </form>`,
          )}
        </div>`,
    }),
  source: () =>
    lockHtml(
      `<!-- In React, FluentProvider puts the variables there instead. -->
<script type="module">
  import { setTheme } from '@fluentui/web-components';
  import { webLightTheme } from '@fluentui/tokens';
  setTheme(webLightTheme);
</script>`,
      `${PLAIN_FIELDS}
    <button>Save customer</button>`,
    ),
};
