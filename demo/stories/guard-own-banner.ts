import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';
import { benLetsGo, benOpens, benTakesOver } from './story-actions.ts';

/** The application's own words and look. */
export const guardOwnBanner: Story = {
  id: 'guard-own-banner',
  group: 'Guard',
  title: 'A banner of your own',
  about:
    'What is put into the slot banner replaces the built-in one. It is never blocked, and follows lock-statechange. Let Ben go, let him take over: the line at the top is the application’s own, with a button that takes over without asking first.',
  actions: [benLetsGo, benOpens, benTakesOver],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage) => {
    const banner = html`<div slot="banner" class="story-own-banner" role="status">
      <span>Asking who has it…</span>
      <button class="button" type="button" hidden @click=${() => void storyGuard().takeOver()}>
        I need it now
      </button>
    </div>`;
    return html`<div @lock-statechange=${follow}>
      ${annasPage(stage, guardedForm(stage.ref(), APPROVAL, {}, banner))}
    </div>`;
  },
  source: () => `${guardHtml(
    APPROVAL,
    {},
    `  <div slot="banner" role="status">
    <span id="who"></span> <button id="take" hidden>I need it now</button>
  </div>
`,
  )}
<script>
  const guard = document.querySelector('lock-guard');
  const who = document.querySelector('#who');
  const take = document.querySelector('#take');
  guard.addEventListener('lock-statechange', ({ state }) => {
    who.textContent =
      state === 'mine' ? 'This request is yours.' : \`On the desk of \${guard.lock?.holderName ?? 'nobody'}.\`;
    take.hidden = state === 'mine';
  });
  take.onclick = () => guard.takeOver();
</script>`,
};

function follow({ state, currentTarget }: HTMLElementEventMap['lock-statechange']): void {
  const banner = (currentTarget as HTMLElement).querySelector('[slot=banner]');
  const [who, take] = [banner?.querySelector('span'), banner?.querySelector('button')];
  if (!who || !take) return;
  who.textContent =
    state === 'mine'
      ? 'This request is yours.'
      : `On the desk of ${storyGuard().lock?.holderName ?? 'nobody'}.`;
  take.hidden = state === 'mine';
}
