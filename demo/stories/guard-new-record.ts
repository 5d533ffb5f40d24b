import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';

/** A record that has no id yet. */
export const guardNewRecord: Story = {
  id: 'guard-new-record',
  group: 'Guard',
  title: 'A new record',
  about:
    'A record without an id cannot be locked, and need not be: with an empty entity-uid the form is simply open. Save it once: the application sets the new id, and from then on the guard claims.',
  actions: [
    {
      label: 'The first save gives it an id',
      run: (stage) => {
        storyGuard().entityUid = stage.ref().entityUid;
      },
    },
  ],
  render: (stage) => {
    const { entityType } = stage.ref();
    const form = { ...ORDER, title: 'New order' };
    return annasPage(stage, html`${guardedForm({ entityType, entityUid: '' }, form)}`);
  },
  source: () => `${guardHtml({ ...ORDER, entityUid: '' })}
<script>
  const guard = document.querySelector('lock-guard');
  guard.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await fetch('/orders', { method: 'POST', body: new FormData(event.target) });
    guard.entityUid = (await answer.json()).id;
  });
</script>`,
};
