import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';

/** The usual case: the lock is Anna's, and nothing shows. */
export const guardMine: Story = {
  id: 'guard-mine',
  group: 'Guard',
  title: 'Yours',
  about:
    'Anna opens an order, and its lock is hers. Her form shows nothing of it and takes no room for it; what Ben sees of the same record is below. The wire panel shows the one claim.',
  render: (stage) => {
    const { entityType, entityUid } = stage.ref();
    return html`${annasForm(stage, ORDER)}
      <div class="story-aside">
        <p class="story-note">What Ben sees</p>
        <lock-provider .config=${stage.config('ben')}>
          <lock-banner entity-type=${entityType} entity-uid=${entityUid}></lock-banner>
        </lock-provider>
      </div>`;
  },
  source: () => guardHtml(ORDER),
};
