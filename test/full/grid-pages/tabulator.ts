import { TabulatorFull } from 'tabulator-tables';
import { gridRecords, lockCell, numberOf, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

openGrid((place) => {
  const element = document.createElement('div');
  place.append(element);
  // An update redraws one column of each field: the cells have fields of their own.
  const dataOf = (record: GridRecord, key: string) => ({
    ...record,
    key,
    lock: record.uid,
    again: record.uid,
  });
  const lockColumn = (field: string): object => ({
    title: field,
    field,
    formatter: (cell: { getValue(): string }) => lockCell(cell.getValue()),
  });
  const table = new TabulatorFull(element, {
    height: 600,
    layout: 'fitColumns',
    index: 'key',
    // The row keeps its key when it shows another record.
    data: gridRecords().map((record) => dataOf(record, record.uid)),
    columns: [
      {
        title: 'Uid',
        field: 'uid',
        sorter: (_one: unknown, _other: unknown, one: RowOf, other: RowOf) =>
          numberOf(one.getData()) - numberOf(other.getData()),
      },
      { title: 'Title', field: 'title' },
      lockColumn('lock'),
      lockColumn('again'),
    ],
  });
  return {
    rows: () => [...element.querySelectorAll('.tabulator-tableholder [role=row]')],
    scrollTo: (index) => table.scrollToRow(table.getData('active')[index]?.key ?? '', 'top', true),
    sort: (direction) => table.setSort('uid', direction),
    filter: (isShown: (record: never) => boolean) => table.setFilter(isShown),
    replace: (index, record) => void table.getRow(`r${index}`).update(dataOf(record, `r${index}`)),
  };
});

interface RowOf {
  getData(): GridRecord;
}
