import { html } from 'lit';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { CUSTOMER, ORDER } from './sample-forms.ts';

const group = 'When things break';

/** Visits in which Anna's session is over, and what her page has then. */
const signedOut = new WeakSet<StoryStage>();
const OVER = { getToken: () => 'a-token-that-is-over' };

/** The token is refused for good. */
export const breakSignedOut: Story = {
  id: 'break-signed-out',
  group,
  title: 'Signed out',
  about:
    'Anna’s session ends while her form is open: the server answers 401, also for a new token. The form stays open, with a notice and the reason; lock-error tells the application, which can offer to sign in. Sign in again: the record is hers.',
  // The shell draws the story anew after each of them.
  actions: [
    { label: 'The session ends', run: (stage) => void signedOut.add(stage) },
    { label: 'Anna signs in again', run: (stage) => void signedOut.delete(stage) },
  ],
  render: (stage) => {
    const config = signedOut.has(stage) ? OVER : stage.config('anna');
    return html`<lock-provider .config=${config}>${guardedForm(stage.ref(), CUSTOMER)}</lock-provider>`;
  },
  source: () => `${guardHtml(CUSTOMER)}
<script>
  document.querySelector('lock-guard').addEventListener('lock-error', ({ code }) => {
    if (code === 'unauthenticated') location.assign('/sign-in');
  });
</script>`,
};

/** A type that nobody marked on the server. */
export const breakNotLockable: Story = {
  id: 'break-not-lockable',
  group,
  title: 'A type that is not lockable',
  about:
    'The page names a type that the server was not told of. A lock that silently locks nothing would help nobody, so this is loud: in the banner, in lock-error, and in the browser’s console. The form stays open. Press Claim.',
  actions: [{ label: 'Claim', run: () => storyGuard().claimNow() }],
  render: (stage) => {
    const ref = { entityType: 'PurchaseOrder', entityUid: stage.ref().entityUid };
    return annasPage(stage, html`${guardedForm(ref, ORDER, { claim: 'manual' })}`);
  },
  source: () => `<!-- On the server: lockable('PurchaseOrder') is missing. -->
${guardHtml({ ...ORDER, entityType: 'PurchaseOrder' }, { claim: 'manual' })}`,
};
