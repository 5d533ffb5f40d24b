import { gridStory, lockCell } from './grid-story.ts';
import { addPageSheet } from './page-sheet.ts';
import type { OrderRow } from './sample-rows.ts';

/** Tabulator. */
export const gridTabulator = gridStory({
  id: 'grid-tabulator',
  title: 'Tabulator',
  about:
    'Five hundred orders in Tabulator. Its formatter makes the cell; the column has a field of its own, since an update redraws one column of each field. Sort by a heading and scroll: the marks stay with their orders.',
  rows: 500,
  async make(place, rows) {
    const [{ TabulatorFull }, { default: css }] = await Promise.all([
      import('tabulator-tables'),
      import('tabulator-tables/dist/css/tabulator_simple.min.css?inline'),
    ]);
    const unstyle = addPageSheet(css);
    const element = document.createElement('div');
    place.append(element);
    const table = new TabulatorFull(element, {
      height: 420,
      layout: 'fitColumns',
      data: rows.map((row) => ({ ...row, lockOf: row })),
      columns: [
        { title: 'Order', field: 'number', minWidth: 80 },
        { title: 'Customer', field: 'customer', minWidth: 160 },
        { title: 'Goods', field: 'goods', minWidth: 140 },
        {
          title: 'Locked by',
          field: 'lockOf',
          minWidth: 120,
          headerSort: false,
          formatter: (cell: { getValue(): OrderRow }) => lockCell(cell.getValue()),
        },
      ],
    });
    table.on('tableBuilt', () => {
      // A box that can be focused and has no role is not allowed in a grid: the row group is that box, not what is in it.
      element.querySelector('.tabulator-tableholder')?.setAttribute('role', 'rowgroup');
      element.querySelector('.tabulator-table')?.setAttribute('role', 'presentation');
    });
    return () => {
      table.destroy();
      unstyle();
    };
  },
  source: `import { TabulatorFull } from 'tabulator-tables';
import 'rowlock/define';

const columns = [
  { title: 'Order', field: 'id' },
  {
    title: 'Locked by',
    field: 'lockOf', // a copy of the id: an update redraws one column of each field
    formatter: (cell) => {
      const element = document.createElement('locked-by-cell');
      element.entityType = 'Order';
      element.entityUid = cell.getValue();
      return element;
    },
  },
];
new TabulatorFull('#orders', { height: 600, data: orders, columns });`,
});
