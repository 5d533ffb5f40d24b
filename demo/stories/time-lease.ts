import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { guardedForm, guardHtml } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';
import { lockOf, scriptedBackend } from './scripted-backend.ts';

/** Ben's computer is asleep. */
export const timeLease: Story = {
  id: 'time-lease',
  group: 'Time and tabs',
  title: 'A lease runs out',
  about:
    'Ben closed his laptop while he had the request. A lock lives five minutes unless it is renewed; so much is left of his as the control says. Nobody is told when it ends: Anna’s page knows it by its own clock, and claims. A scripted backend plays Ben, so the wire panel stays silent.',
  controls: [{ kind: 'number', name: 'left', label: 'Left, s', initial: 15, min: 3, max: 120, step: 1 }],
  render: (stage, { left }) =>
    html`${guard([stage, left], () => keyed(left, page(stage, Number(left) * 1_000)))}`,
  source: () => `${guardHtml(APPROVAL)}
<p>Ben's lock ends in <span id="left"></span> s.</p>
<script>
  const guard = document.querySelector('lock-guard');
  guard.addEventListener('lock-held', ({ lock }) => {
    const endsAt = Date.now() + lock.expiresInMs;
    const show = () => {
      document.querySelector('#left').textContent = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    };
    setInterval(show, 1000);
    show();
  });
</script>`,
};

function page(stage: StoryStage, leftMs: number) {
  const endsAtMs = Date.now() + leftMs;
  const config = scriptedBackend({
    answer: (ref) => {
      const expiresInMs = endsAtMs - Date.now();
      return expiresInMs > 0
        ? { outcome: 'held', lock: lockOf(ref, 'ben', expiresInMs) }
        : { outcome: 'acquired' };
    },
  });
  const show = () => {
    const shown = document.querySelector('.story-left');
    if (shown !== null) shown.textContent = String(Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1_000)));
  };
  const timer = setInterval(show, 1_000);
  stage.onLeave(() => clearInterval(timer));
  return html`<div data-user="anna">
    <lock-provider .config=${config}>${guardedForm(stage.ref(), APPROVAL)}</lock-provider>
    <p class="story-note">
      Ben’s lock ends in <span class="story-left">${Math.ceil(leftMs / 1_000)}</span> s.
    </p>
  </div>`;
}
