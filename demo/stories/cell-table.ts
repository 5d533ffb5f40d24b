import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { orderTable, ORDER_TABLE_HTML } from './order-table.ts';
import { benHolds, benLetsGoOf, orderRows } from './sample-rows.ts';

const FIRST = [2, 5];
const MORE = [3, 6];

/** Who is editing which row. */
export const cellTable: Story = {
  id: 'cell-table',
  group: 'Cell and lists',
  title: 'Who is editing which row',
  about:
    'A table and a locked-by-cell in each row. Ben is editing two orders: their rows are dimmed, his name is not. Let him open two more, let Anna open one: only these rows change. All cells together made one request.',
  actions: [
    { label: 'Ben opens two more', run: (stage) => benHolds(stage, MORE) },
    { label: 'Ben closes all', run: (stage) => benLetsGoOf(stage, [...FIRST, ...MORE]) },
    { label: 'Anna opens the first', run: (stage) => stage.hold('anna', stage.ref(1)) },
    { label: 'Anna closes it', run: (stage) => stage.letGo('anna', stage.ref(1)) },
  ],
  begin: (stage) => benHolds(stage, FIRST),
  render: (stage) => annasPage(stage, orderTable(orderRows(stage, 7))),
  source: () => ORDER_TABLE_HTML,
};

/** The same with an avatar, in the application's own look. */
export const cellLooks: Story = {
  id: 'cell-looks',
  group: 'Cell and lists',
  title: 'Names in a look of your own',
  about:
    'The part name and the states locked and mine style the name, here as a badge; data-locked-by marks the row, here by a stripe instead of dimming. Let Anna open an order, too: her own rows have another colour.',
  actions: [
    { label: 'Anna opens the first', run: (stage) => stage.hold('anna', stage.ref(1)) },
    { label: 'Anna closes it', run: (stage) => stage.letGo('anna', stage.ref(1)) },
  ],
  begin: (stage) => benHolds(stage, FIRST),
  render: (stage) => html`${annasPage(stage, orderTable(orderRows(stage, 6), { look: 'story-badges' }))}`,
  source: () => `<style>
  table { --lock-dim-opacity: 1; }
  tr[data-locked-by='other'] { box-shadow: inset 3px 0 #c77700; }
  tr[data-locked-by='me'] { box-shadow: inset 3px 0 #1a73e8; }
  locked-by-cell:state(locked)::part(name),
  locked-by-cell:state(mine)::part(name) {
    padding: 2px 10px; border-radius: 12px; background: #fdf3dd; color: #7a4d00;
  }
  locked-by-cell:state(mine)::part(name) { background: #e6f1f8; color: #0e5a8a; }
</style>
${ORDER_TABLE_HTML}`,
};
