import {
  ClientSideRowModelModule,
  createGrid,
  ModuleRegistry,
  type ICellRendererComp,
  type ICellRendererParams,
} from 'ag-grid-community';
import base from 'ag-grid-community/styles/ag-grid.min.css?inline';
import theme from 'ag-grid-community/styles/ag-theme-quartz-no-font.min.css?inline';
import { lockCell } from './grid-story.ts';
import { addPageSheet } from './page-sheet.ts';
import type { OrderRow } from './sample-rows.ts';

ModuleRegistry.registerModules([ClientSideRowModelModule]);

/** AG Grid with these orders. In a module of its own, so that the rest of the package can be left out of it. */
export function openAgGrid(place: HTMLElement, rows: readonly OrderRow[]): () => void {
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
}

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
