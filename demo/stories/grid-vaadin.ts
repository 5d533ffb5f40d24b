import { gridStory, lockCell } from './grid-story.ts';
import type { OrderRow } from './sample-rows.ts';

/** `@vaadin/grid`. */
export const gridVaadin = gridStory({
  id: 'grid-vaadin',
  title: 'Vaadin Grid',
  about:
    'Five hundred orders in @vaadin/grid, which draws a row’s cells in its shadow tree and shows another record in the same cell as one scrolls. The renderer sets entity-uid; the cell marks its row wherever it is. Its own styles need style-src unsafe-inline, which this demo’s server does not allow: there, the grid is bare.',
  rows: 500,
  async make(place, rows) {
    await import('@vaadin/grid');
    const grid = document.createElement('vaadin-grid');
    grid.setAttribute('aria-label', 'Orders');
    for (const [path, header] of [
      ['number', 'Order'],
      ['customer', 'Customer'],
      ['goods', 'Goods'],
    ]) {
      grid.append(Object.assign(document.createElement('vaadin-grid-column'), { path, header }));
    }
    const renderer = (root: HTMLElement, _column: unknown, { item }: { readonly item: OrderRow }) => {
      if (root.firstElementChild === null) root.append(lockCell(item));
      else Object.assign(root.firstElementChild, { entityUid: item.ref.entityUid });
    };
    const locked = document.createElement('vaadin-grid-column');
    grid.append(Object.assign(locked, { header: 'Locked by', renderer }));
    Object.assign(grid, { items: [...rows] });
    place.append(grid);
    return () => grid.remove();
  },
  source: `import '@vaadin/grid';
import 'rowlock/define';

const column = document.createElement('vaadin-grid-column');
column.header = 'Locked by';
column.renderer = (root, _column, { item }) => {
  const cell = root.firstElementChild ?? root.appendChild(document.createElement('locked-by-cell'));
  cell.entityType = 'Order';
  cell.entityUid = item.id;
};
document.querySelector('vaadin-grid').append(column);`,
});
