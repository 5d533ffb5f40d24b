import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Story } from '../catalogue/story.ts';
import { drawForm } from './business-form.ts';
import { guardHtml } from './guarded-form.ts';
import { addPageSheet } from './page-sheet.ts';
import { CUSTOMER } from './sample-forms.ts';

/** A name that nobody defines: an element that stays as guards are before their script. */
const NOT_YET = 'lock-guard-to-come';

/** The moment before the script has come. */
export const looksBeforeUpgrade: Story = {
  id: 'looks-before-upgrade',
  group: 'Looks',
  title: 'Before the script has come',
  about:
    'With before-upgrade.css in the head, a form cannot be used until the script is there and has claimed, or three seconds are over. The script never comes here: change the limit and try to type at once. When it is over, the form works.',
  controls: [
    {
      kind: 'number',
      name: 'seconds',
      label: '--lock-upgrade-limit, s',
      initial: 3,
      min: 1,
      max: 20,
      step: 1,
    },
  ],
  begin: async (stage) => {
    const { default: css } = await import('../../components/before-upgrade.css?inline');
    stage.onLeave(addPageSheet(css.replaceAll('lock-guard', NOT_YET)));
  },
  render: (_stage, { seconds }) =>
    html`${keyed(
      seconds,
      html`<lock-guard-to-come
        entity-type=${CUSTOMER.entityType}
        entity-uid=${CUSTOMER.entityUid}
        .style=${`--lock-upgrade-limit: ${String(seconds)}s`}
        >${drawForm(CUSTOMER)}</lock-guard-to-come
      >`,
    )}`,
  source: ({ seconds }) => `<head>
  <link rel="stylesheet" href="before-upgrade.css" />
  <style>lock-guard { --lock-upgrade-limit: ${String(seconds)}s; }</style>
  <script src="rowlock.js" defer></script>
</head>
<body>
${guardHtml(CUSTOMER)}
</body>`,
};
