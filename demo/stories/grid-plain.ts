import type { Story } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { orderTable, ORDER_TABLE_HTML } from './order-table.ts';
import { benHolds, benLetsGoOf, orderRows } from './sample-rows.ts';

const FIRST = [2, 9, 120];
const MORE = [3, 4, 5];

/** Two hundred cells, one request. */
export const gridPlain: Story = {
  id: 'grid-plain',
  group: 'Grids',
  title: 'A plain table, 200 rows',
  about:
    'Two hundred rows, one hub connection and one list call, as the wire panel shows. Ben is editing orders 4702, 4709 and 4820. Let him open three more: only their rows change.',
  actions: [
    { label: 'Ben opens three more', run: (stage) => benHolds(stage, MORE) },
    { label: 'Ben closes all', run: (stage) => benLetsGoOf(stage, [...FIRST, ...MORE]) },
  ],
  begin: (stage) => benHolds(stage, FIRST),
  render: (stage) => annasPage(stage, orderTable(orderRows(stage, 200))),
  source: () => ORDER_TABLE_HTML,
};
