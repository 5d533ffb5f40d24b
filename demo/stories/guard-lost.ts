import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { CUSTOMER } from './sample-forms.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

/** Somebody took over while Anna was editing. */
export const guardLost: Story = {
  id: 'guard-lost',
  group: 'Guard',
  title: 'Lost to somebody else',
  about:
    'Anna is editing. Type something, then let Ben take over. Her form is shut at once, but her text stays: it can be selected and copied. When Ben lets go, she gets the record back and is asked to load it anew, because Ben may have changed it.',
  actions: [benTakesOver, benLetsGo],
  render: (stage) => annasForm(stage, CUSTOMER),
  source: () => `${guardHtml(CUSTOMER)}
<script>
  document.querySelector('lock-guard').addEventListener('lock-lost', (event) => {
    console.log('Typed, and not saved:', event.getValues());
  });
</script>`,
};
