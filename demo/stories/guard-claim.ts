import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml, storyGuard } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';
import { benLetsGo, benOpens } from './story-actions.ts';

/** Claims at the first edit. */
export const guardClaimEdit: Story = {
  id: 'guard-claim-edit',
  group: 'Guard',
  title: 'Claim at the first edit',
  about:
    'For records that are mostly read: nothing is claimed until Anna begins to edit. The wire panel is silent; click into a field or type, and the claim goes out, without holding up what is typed. If Ben has it by then, the form shuts and says so.',
  actions: [benOpens, benLetsGo],
  render: (stage) => annasForm(stage, ORDER, { claim: 'edit' }),
  source: () => guardHtml(ORDER, { claim: 'edit' }),
};

/** Claims when the application says so. */
export const guardClaimManual: Story = {
  id: 'guard-claim-manual',
  group: 'Guard',
  title: 'Claim by the application',
  about:
    'With claim="manual" only claimNow() claims: for pages with a button Edit of their own. Press Claim now, then Let go. Until then nothing is blocked and nobody is told; the server refuses writes on what somebody else holds.',
  actions: [
    { label: 'Claim now', run: () => storyGuard().claimNow() },
    { label: 'Let go', run: () => void storyGuard().release() },
  ],
  render: (stage) => annasForm(stage, ORDER, { claim: 'manual' }),
  source: () => `<button id="edit">Edit</button>
${guardHtml(ORDER, { claim: 'manual' })}
<script>
  const guard = document.querySelector('lock-guard');
  document.querySelector('#edit').onclick = () => guard.claimNow();
</script>`,
};
