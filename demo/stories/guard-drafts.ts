import { html } from 'lit';
import { keepDrafts, type DraftKeeper, type LockDraftEvent } from '../../components/draft-keeper.ts';
import type { LockGuard } from '../../components/index.ts';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { DEMO_USERS } from '../demo-users.ts';
import { annasForm, guardHtml, storyGuard } from './guarded-form.ts';
import { CUSTOMER } from './sample-forms.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

/** What was typed survives the loss of the lock, and of the form's values. */
export const guardDrafts: Story = {
  id: 'guard-drafts',
  group: 'Guard',
  title: 'Drafts',
  about:
    'rowlock/draft-keeper keeps what is typed, for this user and record. Type a contact, let Ben take over and let go, then press Reload: the record comes without your text, and the draft is offered. Nothing is put back unless you want it.',
  actions: [benTakesOver, benLetsGo],
  render: (stage) => {
    const reload = (event: HTMLElementEventMap['lock-reload']) => event.waitUntil(loadCustomer());
    const drawn = ({ target }: Event) => keepOnce(target as LockGuard, stage);
    return html`<div @lock-reload=${reload} @lock-draft=${offer} @lock-blocking=${drawn}>
      <div class="story-offer" hidden>
        <p role="status">There is a draft of yours that is not saved.</p>
        <button class="button" type="button">Put it back</button>
        <button class="button" type="button">Discard</button>
      </div>
      ${annasForm(stage, CUSTOMER)}
    </div>`;
  },
  source: () => `<p id="offer" hidden>
  There is a draft of yours that is not saved.
  <button id="put-back">Put it back</button> <button id="discard">Discard</button>
</p>
${guardHtml(CUSTOMER)}
<script src="draft-keeper.js"></script>
<script>
  const guard = document.querySelector('lock-guard');
  const offer = document.querySelector('#offer');
  const drafts = RowlockDrafts.keepDrafts(guard, { user: 'the-id-of-who-is-signed-in' });

  guard.addEventListener('lock-draft', (event) => {
    offer.hidden = false;
    document.querySelector('#put-back').onclick = () => (offer.hidden = event.restore());
    document.querySelector('#discard').onclick = () => {
      event.discard();
      offer.hidden = true;
    };
  });
  // When it is saved: drafts.clear()
</script>`,
};

const kept = new WeakMap<LockGuard, DraftKeeper>();

/** A guard tells of its blocking as soon as it is drawn, and again later. */
function keepOnce(guard: LockGuard, stage: StoryStage): void {
  if (kept.has(guard)) return;
  const drafts = keepDrafts(guard, { user: DEMO_USERS.anna.principal.oid });
  kept.set(guard, drafts);
  stage.onLeave(() => drafts.stop());
}

/** As the server has it: without what was typed here. */
async function loadCustomer(): Promise<void> {
  for (const { name, value } of CUSTOMER.fields) {
    const field = storyGuard().querySelector<HTMLInputElement>(`[name=${name}]`);
    if (field !== null) field.value = value;
  }
}

function offer(event: LockDraftEvent): void {
  const notice = document.querySelector<HTMLElement>('.story-offer');
  const [putBack, discard] = notice?.querySelectorAll('button') ?? [];
  if (!notice || !putBack || !discard) return;
  notice.hidden = false;
  putBack.onclick = () => {
    notice.hidden = event.restore();
  };
  discard.onclick = () => {
    event.discard();
    notice.hidden = true;
  };
}
