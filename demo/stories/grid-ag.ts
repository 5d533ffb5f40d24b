import { gridStory } from './grid-story.ts';

/** AG Grid. */
export const gridAg = gridStory({
  id: 'grid-ag',
  title: 'AG Grid',
  about:
    'Five hundred orders in AG Grid. A renderer class keeps its element when the row shows another record, and only sets entity-uid. Sort by a heading and scroll: the marks stay with their orders.',
  rows: 500,
  async make(place, rows) {
    const { openAgGrid } = await import('./open-ag-grid.ts');
    return openAgGrid(place, rows);
  },
  source: `import 'rowlock/define';

class LockRenderer {
  init({ data }) {
    this.cell = document.createElement('locked-by-cell');
    this.refresh({ data });
  }
  getGui() {
    return this.cell;
  }
  refresh({ data }) {
    this.cell.entityType = 'Order';
    this.cell.entityUid = data?.id ?? '';
    return true;
  }
}
const columnDefs = [{ field: 'id' }, { headerName: 'Locked by', field: 'id', cellRenderer: LockRenderer }];`,
});
