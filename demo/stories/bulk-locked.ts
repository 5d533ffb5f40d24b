import { html } from 'lit';
import { leftOutText, sortOutLocked } from '../../components/bulk-locks.ts';
import type { LockProvider } from '../../components/index.ts';
import type { Story } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { orderTable, ORDER_TABLE_HTML } from './order-table.ts';
import { benHolds, benLetsGoOf, orderRows } from './sample-rows.ts';

const HELD = [2, 5];

/** Before a bulk action. */
export const bulkLocked: Story = {
  id: 'bulk-locked',
  group: 'Cell and lists',
  title: 'Which of these are locked?',
  about:
    'Before "confirm all", rowlock/bulk sorts out what others are editing, and says it in a sentence. It asks for nothing that the table has heard already. Tick some orders, press Confirm selected; then let Ben close his two, and press again.',
  actions: [{ label: 'Ben closes both', run: (stage) => benLetsGoOf(stage, HELD) }],
  begin: (stage) => benHolds(stage, HELD),
  render: (stage) => {
    const rows = orderRows(stage, 6);
    const confirm = async () => {
      const status = document.querySelector('.story-result');
      const provider = document.querySelector<LockProvider>('#bulk lock-provider');
      const boxes = [...document.querySelectorAll<HTMLInputElement>('#bulk [type=checkbox]:checked')];
      const chosen = rows.filter(({ ref }) => boxes.some(({ value }) => value === ref.entityUid));
      if (status === null || provider === null) return;
      const sorted = await sortOutLocked(
        chosen.map(({ ref }) => ref),
        provider.client,
      );
      status.textContent = `${sorted.free.length} confirmed. ${leftOutText(sorted, 'en')}`;
    };
    return html`<div id="bulk">
      ${annasPage(stage, orderTable(rows, { selectable: true }))}
      <p class="story-buttons">
        <button class="button" type="button" @click=${() => void confirm()}>Confirm selected</button>
      </p>
      <p class="story-result" role="status"></p>
    </div>`;
  },
  source: () => `${ORDER_TABLE_HTML}
<button id="confirm">Confirm all</button> <span id="status" role="status"></span>
<script src="rowlock-lock-list.js"></script>
<script>
  document.querySelector('#confirm').onclick = async () => {
    const refs = ['4701', '4702'].map((entityUid) => ({ entityType: 'Order', entityUid }));
    const sorted = await RowlockList.sortOutLocked(refs);
    const body = JSON.stringify([...sorted.free, ...sorted.unknown]);
    await fetch('/orders/confirm', { method: 'POST', body });
    document.querySelector('#status').textContent = RowlockList.leftOutText(sorted);
  };
</script>`,
};
