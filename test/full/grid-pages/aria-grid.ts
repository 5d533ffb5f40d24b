import { gridRecords, inOrder, lockCell, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

const ROW_HEIGHT = 30;
const ROWS_IN_VIEW = 20;

/** A small virtual grid of its own: `role=row` in a shadow tree, twenty rows that are recycled for all records. */
class RecyclingGrid extends HTMLElement {
  records: readonly GridRecord[] = [];
  readonly rows = Array.from({ length: ROWS_IN_VIEW + 1 }, () => {
    const row = document.createElement('div');
    row.role = 'row';
    row.style.position = 'absolute';
    for (const content of ['', '', lockCell(''), lockCell('')]) {
      const cell = document.createElement('span');
      cell.role = 'gridcell';
      cell.append(content);
      row.append(cell);
    }
    return row;
  });
  readonly #space = document.createElement('div');

  connectedCallback(): void {
    this.role = 'grid';
    this.style.cssText = `display: block; overflow: auto; height: ${ROWS_IN_VIEW * ROW_HEIGHT}px`;
    this.#space.style.position = 'relative';
    this.attachShadow({ mode: 'open' }).append(this.#space);
    this.addEventListener('scroll', () => this.draw());
    this.draw();
  }

  draw(): void {
    const first = Math.floor(this.scrollTop / ROW_HEIGHT);
    this.#space.style.height = `${this.records.length * ROW_HEIGHT}px`;
    this.rows.forEach((row, place) => {
      // Each row keeps its records apart by so many, so that scrolling by one moves one row from top to bottom.
      const turn = Math.ceil((first - place) / this.rows.length);
      const index = turn * this.rows.length + place;
      const record = this.records[index];
      if (record === undefined) {
        row.remove();
        return;
      }
      row.style.top = `${index * ROW_HEIGHT}px`;
      const [uid, title, ...cells] = row.children;
      if (uid) uid.textContent = record.uid;
      if (title) title.textContent = record.title;
      for (const cell of cells) Object.assign(cell.firstElementChild ?? {}, { entityUid: record.uid });
      if (!row.isConnected) this.#space.append(row);
    });
  }
}
customElements.define('recycling-grid', RecyclingGrid);

openGrid((place) => {
  let records = gridRecords();
  const grid = new RecyclingGrid();
  const show = (shown: readonly GridRecord[]): void => {
    grid.records = shown;
    if (grid.isConnected) grid.draw();
  };
  show(records);
  place.append(grid);
  return {
    rows: () => [...(grid.shadowRoot?.querySelectorAll('[role=row]') ?? [])],
    scrollTo: (index) => grid.scrollTo(0, index * ROW_HEIGHT),
    sort: (direction) => show(inOrder(records, direction)),
    filter: (isShown) => show(records.filter(isShown)),
    replace: (index, record) => {
      records = records.map((known, at) => (at === index ? record : known));
      show(records);
    },
  };
});
