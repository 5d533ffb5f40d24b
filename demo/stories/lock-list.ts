import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { orderRows } from './sample-rows.ts';

/** "My locks", over all windows. */
export const lockList: Story = {
  id: 'lock-list',
  group: 'Cell and lists',
  title: 'My locks',
  about:
    'lock-list shows what Anna holds in all her windows, and lets go of one or of all, after asking. She has two orders open elsewhere. Open a third one, let go of one: the list follows at once. It is an entry of its own, rowlock/lock-list.',
  actions: [
    { label: 'Anna opens a third one', run: (stage) => stage.hold('anna', stage.ref(3)) },
    { label: 'Anna closes it', run: (stage) => stage.letGo('anna', stage.ref(3)) },
  ],
  begin: async (stage) => {
    await import('../../components/define-lock-list.ts');
    for (const number of [1, 2]) await stage.hold('anna', stage.ref(number));
  },
  render: (stage) => {
    const rows = orderRows(stage, 3);
    const describe = ({ entityUid }: { readonly entityUid: string }) => {
      const row = rows.find(({ ref }) => ref.entityUid === entityUid);
      return row ? { title: `Order ${row.number}, ${row.customer}` } : null;
    };
    return annasPage(
      stage,
      html`<lock-list entity-types=${stage.ref().entityType} .describe=${describe}></lock-list>`,
    );
  },
  source: () => `<script src="rowlock-lock-list.js"></script>
<lock-list entity-types="Order Invoice">
  <a data-entity-type="Order" href="/orders/{uid}">Order {uid}</a>
  <a data-entity-type="Invoice" href="/invoices/{uid}">Invoice {uid}</a>
</lock-list>`,
};
