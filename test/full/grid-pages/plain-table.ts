import { gridRecords, inOrder, lockCell, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

openGrid((place) => {
  let records = gridRecords();
  const table = document.createElement('table');
  const body = table.createTBody();
  place.append(table);
  const rows = new Map<GridRecord, HTMLTableRowElement>();
  const rowOf = (record: GridRecord): HTMLTableRowElement => {
    const known = rows.get(record);
    if (known !== undefined) return known;
    const row = document.createElement('tr');
    for (const content of [record.uid, record.title, lockCell(record.uid), lockCell(record.uid)]) {
      row.insertCell().append(content);
    }
    rows.set(record, row);
    return row;
  };
  const show = (shown: readonly GridRecord[]): void => body.replaceChildren(...shown.map(rowOf));
  show(records);
  return {
    rows: () => [...body.rows],
    scrollTo: (index) => body.rows[index]?.scrollIntoView(),
    // In place, row by row, as applications do without a framework.
    sort: (direction) => {
      for (const record of inOrder(records, direction)) body.append(rowOf(record));
    },
    filter: (isShown) => show(records.filter(isShown)),
    replace: (index, record) => {
      const row = body.rows[index];
      const old = records.find((known) => rows.get(known) === row);
      if (row === undefined || old === undefined) return;
      rows.delete(old);
      rows.set(record, row);
      records = records.map((known) => (known === old ? record : known));
      const [uid, title, ...cells] = row.cells;
      if (uid) uid.textContent = record.uid;
      if (title) title.textContent = record.title;
      for (const cell of cells) Object.assign(cell.firstElementChild ?? {}, { entityUid: record.uid });
    },
  };
});
