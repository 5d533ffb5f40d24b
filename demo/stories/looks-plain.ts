import { html, type TemplateResult } from 'lit';
import type { Story, StoryControl, StoryStage } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';
import { benLetsGo, benOpens, benTakesOver } from './story-actions.ts';

const benHolds = (stage: StoryStage) => stage.hold('ben', stage.ref());
const common = { group: 'Looks', actions: [benLetsGo, benTakesOver], begin: benHolds } as const;
const text = (name: string, label: string, initial: string): StoryControl => ({
  kind: 'text',
  name,
  label,
  initial,
});
const inBox = (stage: StoryStage, look: string): TemplateResult =>
  html`<div class="story-box ${look}">${annasForm(stage, ORDER)}</div>`;

/** What a theme sets. */
export const looksProperties: Story = {
  ...common,
  id: 'looks-properties',
  title: 'Custom properties',
  about:
    'Three accents, a surface, a text colour and corners: these properties are the whole theme. Change them and watch the banner; Take over shows the question in the same colours. Ben lets go and takes over for the accent of a loss.',
  controls: [
    text('held', '--lock-held-color', '#9a5cc6'),
    text('alert', '--lock-alert-color', '#d0453b'),
    text('surface', '--lock-surface', 'var(--surface)'),
    text('text', '--lock-text', 'var(--text)'),
    {
      kind: 'number',
      name: 'radius',
      label: '--lock-banner-radius, px',
      initial: 16,
      min: 0,
      max: 32,
      step: 1,
    },
  ],
  render: (stage, { held, alert, surface, text: color, radius }) => {
    // Set as a property: a strict content security policy refuses the attribute.
    const look = `--story-held: ${String(held)}; --story-alert: ${String(alert)};
      --story-surface: ${String(surface)}; --story-text: ${String(color)};
      --story-radius: ${String(radius)}px;`;
    return html`<div class="story-properties" .style=${look}>${annasForm(stage, ORDER)}</div>`;
  },
  source: ({ held, alert, surface, text: color, radius }) => `<style>
  lock-guard {
    --lock-held-color: ${String(held)};
    --lock-alert-color: ${String(alert)};
    --lock-surface: ${String(surface)};
    --lock-text: ${String(color)};
    --lock-banner-radius: ${String(radius)}px;
    --lock-button-radius: ${String(radius)}px;
  }
</style>
${guardHtml(ORDER)}`,
};

/** By `color-scheme` alone. */
export const looksDark: Story = {
  ...common,
  id: 'looks-dark',
  title: 'Dark',
  about:
    'The elements follow the color-scheme of what is around them: this box is dark whatever the catalogue is. Nothing else has to be set, as their own colours are the browser’s system colours.',
  controls: [
    {
      kind: 'choice',
      name: 'scheme',
      label: 'color-scheme',
      options: ['dark', 'light'],
      initial: 'dark',
    },
  ],
  render: (stage, { scheme }) => inBox(stage, scheme === 'dark' ? 'story-dark' : 'story-light'),
  source: ({ scheme }) => `<style>
  :root { color-scheme: ${String(scheme)}; }
</style>
${guardHtml(ORDER)}`,
};

/** Windows contrast themes. */
export const looksForcedColors: Story = {
  ...common,
  id: 'looks-forced-colors',
  title: 'Forced colours',
  about:
    'In a contrast theme of Windows, borders, text and buttons take the user’s colours, and nothing is said by colour alone. This box only imitates one. To see the real thing, turn on a contrast theme, or emulate forced-colors in the browser’s developer tools under Rendering.',
  render: (stage) => inBox(stage, 'story-dark story-forced'),
  source: () => `<!-- Nothing to do. Leave forced-color-adjust as it is. -->
${guardHtml(ORDER)}`,
};

/** A phone. */
export const looksNarrow: Story = {
  ...common,
  id: 'looks-narrow',
  title: '320 px wide',
  about:
    'The smallest width that WCAG 2.2 asks for, or 1,280 px zoomed to 400 %. The banner’s sign, text and buttons wrap; nothing is cut off, and nothing scrolls sideways.',
  controls: [
    { kind: 'number', name: 'width', label: 'Width, px', initial: 320, min: 240, max: 640, step: 20 },
  ],
  actions: [benOpens, benLetsGo, benTakesOver],
  render: (stage, { width }) =>
    html`<div class="story-box story-narrow" .style=${`inline-size: ${String(width)}px`}>
      ${annasForm(stage, ORDER)}
    </div>`,
  source: () => guardHtml(ORDER),
};
