import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml } from './guarded-form.ts';
import { CUSTOMER } from './sample-forms.ts';
import { benLetsGo } from './story-actions.ts';

const BLOCKING = {
  kind: 'choice',
  name: 'blocking',
  label: 'blocking',
  options: ['readonly', 'inert'],
  initial: 'readonly',
} as const;

/** `inert` and `readonly`, side by side in time. */
export const guardReadonly: Story = {
  id: 'guard-readonly',
  group: 'Guard',
  title: 'Readable while blocked',
  about:
    'Ben is editing this customer. With blocking="readonly" Anna can still select, copy, search and scroll, and a screen reader reads every field; only edits are stopped. With inert, the default, the form is out of reach. Try to type, then switch.',
  controls: [BLOCKING],
  actions: [benLetsGo],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage, { blocking }) =>
    annasPage(stage, guardedForm(stage.ref(), CUSTOMER, { blocking: String(blocking) })),
  source: ({ blocking }) => guardHtml(CUSTOMER, { blocking: blocking === 'readonly' && 'readonly' }),
};

/** Something that works all the same. */
export const guardAllowed: Story = {
  id: 'guard-allowed',
  group: 'Guard',
  title: 'Allowed while blocked',
  about:
    'Ben is editing. In a form that is readable, links and everything inside data-lock-allow go on working: here the phone list. Press it, then try the button Save customer. The event log says what came through.',
  controls: [BLOCKING],
  actions: [benLetsGo],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage, { blocking }) => {
    const opened = () => stage.say('opened the phone list');
    const list = html`<p class="story-buttons">
      <button class="button" type="button" data-lock-allow @click=${opened}>Phone list</button>
    </p>`;
    return annasPage(stage, guardedForm(stage.ref(), CUSTOMER, { blocking: String(blocking) }, list));
  },
  source: ({ blocking }) =>
    guardHtml(
      CUSTOMER,
      { blocking: blocking === 'readonly' && 'readonly' },
      '  <button type="button" data-lock-allow>Phone list</button>\n',
    ),
};
