import { html } from 'lit';
import type { LockGuard } from '../../components/index.ts';
import type { Story } from '../catalogue/story.ts';
import type { BusinessForm } from './business-form.ts';
import { annasPage, guardedForm, guardHtml } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';
import { benTakesOver, benLetsGo } from './story-actions.ts';

const WINDOWS = ['first', 'second'] as const;

/** One person twice. */
export const timeTwoTabs: Story = {
  id: 'time-two-tabs',
  group: 'Time and tabs',
  title: 'Two tabs of one person',
  about:
    'Anna has the request open twice, which is one holder with two sessions: neither tab is blocked, and the second says that there is another. Let one go: the lock stays with the other. Ben can take it only from her, and then both are lost.',
  actions: [
    ...WINDOWS.map((name) => ({
      label: `The ${name} tab lets go`,
      run: () => void document.querySelector<LockGuard>(`#${name}-tab`)?.release(),
    })),
    benTakesOver,
    benLetsGo,
  ],
  render: (stage) =>
    html`<div class="story-two">
      ${WINDOWS.map(
        (name) =>
          html`<section class="story-box" aria-labelledby="${name}-title">
            <h2 id="${name}-title">Anna, ${name} tab</h2>
            ${annasPage(stage, guardedForm(stage.ref(), formIn(name), { id: `${name}-tab` }))}
          </section>`,
      )}
    </div>`,
  source: () => guardHtml(APPROVAL),
};

/** Two forms on one page need names of their own. */
function formIn(name: string): BusinessForm {
  return { ...APPROVAL, title: `${APPROVAL.title}, ${name} tab` };
}
