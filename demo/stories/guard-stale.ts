import { html } from 'lit';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { annasForm, guardHtml, storyGuard } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';

/** A moment of Ben's: he takes the record, and lets go. */
async function benWasThere(stage: StoryStage): Promise<void> {
  await stage.takeOver('ben', stage.ref());
  await stage.letGo('ben', stage.ref());
}

/** The form that is not opened on old data. */
export const guardStale: Story = {
  id: 'guard-stale',
  group: 'Guard',
  title: 'Changed meanwhile',
  about:
    'Let Ben take the record and give it back. Anna has the lock again, but what her form shows may be old: it stays shut and offers Reload. Here, Reload sets the amount to what a server would send, and then opens the form.',
  actions: [{ label: 'Ben edits and lets go', run: benWasThere }],
  render: (stage) => {
    const load = async () => {
      const amount = storyGuard().querySelector<HTMLInputElement>('[name=amount]');
      if (amount !== null) amount.value = String(Number(amount.value) + 160);
      stage.say('loaded the request anew');
    };
    const reload = (event: HTMLElementEventMap['lock-reload']) => event.waitUntil(load());
    return html`<div @lock-reload=${reload}>${annasForm(stage, APPROVAL)}</div>`;
  },
  source: () => `${guardHtml(APPROVAL)}
<script>
  const guard = document.querySelector('lock-guard');

  async function load() {
    const answer = await fetch('/requests/REQ-2041');
    const { amount, note } = await answer.json();
    guard.querySelector('[name=amount]').value = amount;
    guard.querySelector('[name=note]').value = note;
  }

  // Claim, then load: the form opens when this is done.
  guard.addEventListener('lock-acquired', (event) => event.waitUntil(load()));
  // The banner's button. Without this, the whole page is loaded again.
  guard.addEventListener('lock-reload', (event) => event.waitUntil(load()));
</script>`,
};
