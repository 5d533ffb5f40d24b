import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';

/** Nobody is there. */
export const timeIdle: Story = {
  id: 'time-idle',
  group: 'Time and tabs',
  title: 'Nobody is typing',
  about:
    'With idle-after, a form that nobody touches is let go: first a warning at half of the time, then the release, saved before by lock-before-release. Come back with the mouse or the keyboard, and the lock comes back in silence. Ten minutes are a usual value; here it is seconds.',
  controls: [
    {
      kind: 'number',
      name: 'idle',
      label: 'idle-after, ms',
      initial: 8_000,
      min: 2_000,
      max: 60_000,
      step: 1_000,
    },
  ],
  render: (stage, { idle }) => {
    const save = (event: HTMLElementEventMap['lock-before-release']) => {
      event.waitUntil(Promise.resolve());
      if (event.isIdle) stage.say('saves before the lock is let go');
    };
    return html`<div @lock-before-release=${save}>
      ${annasForm(stage, ORDER, { idleAfter: Number(idle) })}
    </div>`;
  },
  source: ({ idle }) => `${guardHtml(ORDER, { 'idle-after': Number(idle) })}
<script>
  const guard = document.querySelector('lock-guard');
  guard.addEventListener('lock-before-release', (event) => {
    const body = new FormData(guard.querySelector('form'));
    event.waitUntil(fetch('/orders/4711', { method: 'PUT', body }));
  });
</script>`,
};
