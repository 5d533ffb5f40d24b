import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';

/** Somebody else has the record open. */
export const guardHeld: Story = {
  id: 'guard-held',
  group: 'Guard',
  title: 'Held by somebody else',
  about:
    'Ben has this request open elsewhere, so Anna’s form is blocked. Let Ben finish, and it opens by itself.',
  controls: [
    {
      kind: 'choice',
      name: 'blocking',
      label: 'blocking',
      options: ['inert', 'readonly'],
      initial: 'inert',
    },
  ],
  actions: [
    { label: 'Ben lets go', run: (stage) => stage.letGo('ben', stage.ref()) },
    { label: 'Ben takes over', run: (stage) => stage.takeOver('ben', stage.ref()) },
  ],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage, { blocking }) =>
    html`<lock-provider .config=${stage.config('anna')}>
      <lock-guard
        entity-type=${stage.ref().entityType}
        entity-uid=${stage.ref().entityUid}
        blocking=${String(blocking)}
      >
        <form class="form-fields">
          <p class="field">
            <label for="held-customer">Customer</label
            ><input id="held-customer" name="customer" value="Müller & Söhne GmbH" />
          </p>
          <p class="field">
            <label for="held-amount">Amount</label><input id="held-amount" name="amount" value="1840" />
          </p>
        </form>
      </lock-guard>
    </lock-provider>`,
  source: ({
    blocking,
  }) => `<lock-guard entity-type="ApprovalRequest" entity-uid="REQ-2041" blocking="${String(blocking)}">
  <form>
    <label>Customer <input name="customer" value="Müller &amp; Söhne GmbH" /></label>
    <label>Amount <input name="amount" value="1840" /></label>
  </form>
</lock-guard>`,
};
