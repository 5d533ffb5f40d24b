import '@vaadin/grid';
import type { Grid } from '@vaadin/grid';
import '@vaadin/grid/vaadin-grid-column.js';
import type { GridColumn } from '@vaadin/grid/vaadin-grid-column.js';
import { gridRecords, inOrder, lockCell, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

openGrid((place) => {
  let records = gridRecords();
  const grid = document.createElement('vaadin-grid') as Grid<GridRecord>;
  for (const path of ['uid', 'title']) {
    grid.append(Object.assign(document.createElement('vaadin-grid-column'), { path }));
  }
  for (const header of ['Locked by', 'Again']) {
    const column = document.createElement('vaadin-grid-column') as GridColumn<GridRecord>;
    column.header = header;
    // The cell is made once; the grid shows another record in it as it recycles the row.
    column.renderer = (root, _column, { item }) => {
      if (root.firstElementChild === null) root.append(lockCell(item.uid));
      else Object.assign(root.firstElementChild, { entityUid: item.uid });
    };
    grid.append(column);
  }
  grid.items = records;
  place.append(grid);
  return {
    rows: () => [...(grid.shadowRoot?.querySelectorAll('tbody tr') ?? [])],
    scrollTo: (index) => grid.scrollToIndex(index),
    sort: (direction) => {
      grid.items = inOrder(records, direction);
    },
    filter: (isShown) => {
      grid.items = records.filter(isShown);
    },
    replace: (index, record) => {
      records = records.map((known, at) => (at === index ? record : known));
      grid.items = records;
    },
  };
});
