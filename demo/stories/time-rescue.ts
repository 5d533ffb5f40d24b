import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { CUSTOMER } from './sample-forms.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

/** Nothing typed is lost. */
export const timeRescue: Story = {
  id: 'time-rescue',
  group: 'Time and tabs',
  title: 'Taken over, text rescued',
  about:
    'Type into Anna’s form, then let Ben take over. lock-lost comes before the form is blocked and hands over what it contains, by name: getValues(). This page lists it below; an application would keep it. Passwords, files and data-lock-private are left out.',
  actions: [benTakesOver, benLetsGo],
  render: (stage) =>
    html`<div @lock-lost=${rescue}>
      ${annasForm(stage, CUSTOMER)}
      <div class="story-aside">
        <p class="story-note">Rescued</p>
        <pre class="story-rescued">Nothing yet.</pre>
      </div>
    </div>`,
  source: () => `${guardHtml(CUSTOMER)}
<script>
  document.querySelector('lock-guard').addEventListener('lock-lost', (event) => {
    const { entityType, entityUid } = event.ref;
    localStorage.setItem(\`rescued/\${entityType}/\${entityUid}\`, JSON.stringify(event.getValues()));
  });
</script>`,
};

function rescue(event: HTMLElementEventMap['lock-lost']): void {
  const shown = (event.currentTarget as HTMLElement).querySelector('.story-rescued');
  if (shown !== null) shown.textContent = JSON.stringify(event.getValues(), null, 2);
}
