import { html } from 'lit';
import type { LockProvider } from '../../components/index.ts';
import type { Story } from '../catalogue/story.ts';
import { annasForm, annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { CUSTOMER, ORDER } from './sample-forms.ts';

const group = 'When things break';

/** The token is refused for good. */
export const breakSignedOut: Story = {
  id: 'break-signed-out',
  group,
  title: 'Signed out',
  about:
    'Anna’s session ends while her form is open: the server answers 401, also for a new token. The form stays open, with a notice and the reason; lock-error tells the application, which can offer to sign in. Sign in again: the record is hers.',
  actions: [
    {
      label: 'The session ends',
      run: () => {
        provider().config = { getToken: () => 'a-token-that-is-over' };
      },
    },
    {
      label: 'Anna signs in again',
      run: (stage) => {
        provider().config = stage.config('anna');
        storyGuard().claimNow();
      },
    },
  ],
  render: (stage) => annasForm(stage, CUSTOMER),
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

function provider(): LockProvider {
  const found = storyGuard().closest('lock-provider');
  if (found === null) throw new Error('There is no provider around the guard.');
  return found;
}
