import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

/** Somebody else was first. */
export const guardHeld: Story = {
  id: 'guard-held',
  group: 'Guard',
  title: 'Held by somebody else',
  about:
    'Ben has this request open. Anna reads who, since when and until when, and cannot edit. Let Ben go: her form opens by itself, without a reload. With wait="off" it stays shut until she presses Edit.',
  controls: [
    {
      kind: 'choice',
      name: 'blocking',
      label: 'blocking',
      options: ['inert', 'readonly'],
      initial: 'inert',
    },
    { kind: 'choice', name: 'wait', label: 'wait', options: ['auto', 'off'], initial: 'auto' },
  ],
  actions: [benLetsGo, benTakesOver],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage, { blocking, wait }) =>
    annasForm(stage, APPROVAL, { blocking: String(blocking), wait: String(wait) }),
  source: ({ blocking, wait }) =>
    guardHtml(APPROVAL, {
      blocking: blocking === 'readonly' && 'readonly',
      wait: wait === 'off' && 'off',
    }),
};
