import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import { gridStory, lockCell } from './grid-story.ts';
import { addPageSheet } from './page-sheet.ts';
import type { OrderRow } from './sample-rows.ts';

/** AG Grid. */
export const gridAg = gridStory({
  id: 'grid-ag',
  title: 'AG Grid',
  about:
    'Five hundred orders in AG Grid. A renderer class keeps its element when the row shows another record, and only sets entity-uid. Sort by a heading and scroll: the marks stay with their orders.',
  rows: 500,
  async make(place, rows) {
    const [{ createGrid, ClientSideRowModelModule, ModuleRegistry }, { default: base }, { default: theme }] =
      await Promise.all([
        import('ag-grid-community'),
        import('ag-grid-community/styles/ag-grid.min.css?inline'),
        import('ag-grid-community/styles/ag-theme-quartz-no-font.min.css?inline'),
      ]);
    ModuleRegistry.registerModules([ClientSideRowModelModule]);
    const unstyle = [addPageSheet(base), addPageSheet(theme)];
    place.classList.add('ag-theme-quartz-auto-dark');
    const grid = createGrid<OrderRow>(place, {
      theme: 'legacy',
      rowData: [...rows],
      defaultColDef: { flex: 1, minWidth: 110 },
      columnDefs: [
        { field: 'number', headerName: 'Order' },
        { field: 'customer' },
        { field: 'goods' },
        { headerName: 'Locked by', colId: 'lock', sortable: false, cellRenderer: LockRenderer },
      ],
    });
    return () => {
      grid.destroy();
      for (const undo of unstyle) undo();
    };
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

/** Keeps its element for another record of the same row. */
class LockRenderer implements ICellRendererComp<OrderRow> {
  #cell: HTMLElement | null = null;

  init({ data }: ICellRendererParams<OrderRow>): void {
    this.#cell = data ? lockCell(data) : document.createElement('locked-by-cell');
  }

  getGui(): HTMLElement {
    return (this.#cell ??= document.createElement('locked-by-cell'));
  }

  refresh({ data }: ICellRendererParams<OrderRow>): boolean {
    Object.assign(this.getGui(), { entityUid: data?.ref.entityUid ?? '' });
    return true;
  }
}
