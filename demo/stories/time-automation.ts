import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml, storyGuard } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';

/** A program is never blocked, and never drops a person's lock. */
export const timeAutomation: Story = {
  id: 'time-automation',
  group: 'Time and tabs',
  title: 'Automation writes meanwhile',
  about:
    'Anna is editing, and the driver app writes the same request: automation is never blocked by a lock. Her form stays open, keeps what she typed, and says who has changed the record; Reload is her decision. Here it appends the driver’s remark to the note.',
  needsMock: true,
  actions: [
    {
      label: 'The driver app writes',
      run: async (stage) => {
        await stage.write?.('driver-app', stage.ref());
        stage.say('let the driver app write the request');
      },
    },
  ],
  render: (stage) => {
    const load = async () => {
      const note = storyGuard().querySelector<HTMLTextAreaElement>('[name=note]');
      if (note !== null) note.value += ' Driver arrived at 04:22.';
      stage.say('loaded the request anew');
    };
    const reload = (event: HTMLElementEventMap['lock-reload']) => event.waitUntil(load());
    return html`<div @lock-reload=${reload}>${annasForm(stage, APPROVAL)}</div>`;
  },
  source: () => `${guardHtml(APPROVAL)}
<script>
  const guard = document.querySelector('lock-guard');
  guard.addEventListener('lock-reload', (event) => {
    event.waitUntil(
      fetch('/requests/REQ-2041')
        .then((answer) => answer.json())
        .then(({ note }) => (guard.querySelector('[name=note]').value = note)),
    );
  });
</script>`,
};
