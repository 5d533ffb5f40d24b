import {
  AllCommunityModule,
  createGrid,
  ModuleRegistry,
  type GridApi,
  type ICellRendererComp,
  type ICellRendererParams,
} from 'ag-grid-community';
import { gridRecords, lockCell, numberOf, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

ModuleRegistry.registerModules([AllCommunityModule]);

/** Keeps its element for another record of the same row. */
class LockRenderer implements ICellRendererComp<GridRecord> {
  #cell = lockCell('');

  init({ data }: ICellRendererParams<GridRecord>): void {
    this.#cell = lockCell(data?.uid ?? '');
  }

  getGui(): HTMLElement {
    return this.#cell;
  }

  refresh({ data }: ICellRendererParams<GridRecord>): boolean {
    Object.assign(this.#cell, { entityUid: data?.uid ?? '' });
    return true;
  }
}

openGrid((place) => {
  const element = document.createElement('div');
  element.style.height = '600px';
  place.append(element);
  let isShown: (record: GridRecord) => boolean = () => true;
  const api: GridApi<GridRecord> = createGrid(element, {
    rowData: gridRecords(),
    columnDefs: [
      {
        field: 'uid',
        pinned: 'left',
        comparator: (_one, _other, one, other) =>
          (one.data ? numberOf(one.data) : 0) - (other.data ? numberOf(other.data) : 0),
      },
      { field: 'title' },
      { field: 'uid', headerName: 'Locked by', colId: 'lock', cellRenderer: LockRenderer },
      { field: 'uid', headerName: 'Again', colId: 'again', cellRenderer: LockRenderer, pinned: 'right' },
    ],
    isExternalFilterPresent: () => true,
    doesExternalFilterPass: ({ data }) => data !== undefined && isShown(data),
  });
  return {
    rows: () => [...element.querySelectorAll('[role=row][row-index]:not(.ag-header-row)')],
    scrollTo: (index) => api.ensureIndexVisible(index, 'top'),
    sort: (sort) => api.applyColumnState({ state: [{ colId: 'uid', sort }] }),
    filter: (shown) => {
      isShown = shown;
      api.onFilterChanged();
    },
    replace: (index, record) => api.getDisplayedRowAtIndex(index)?.setData(record),
  };
});
