import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml, storyGuard } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';
import { benLetsGo, benOpens } from './story-actions.ts';

/** The page lets go by itself, for example after saving. */
export const guardReleased: Story = {
  id: 'guard-released',
  group: 'Guard',
  title: 'Released',
  about:
    'An application may let go before the page is left, for instance after saving. The form stays open; whoever types in it again claims again. Let go, then type or press Edit. Or let Ben open the record in between.',
  actions: [{ label: 'Anna lets go', run: () => void storyGuard().release() }, benOpens, benLetsGo],
  render: (stage) => annasForm(stage, ORDER),
  source: () => `${guardHtml(ORDER)}
<script>
  const guard = document.querySelector('lock-guard');
  guard.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = new FormData(event.target);
    const saved = await fetch('/orders/4711', { method: 'PUT', body });
    if (saved.ok) await guard.release();
  });
</script>`,
};
