import '@lit-labs/virtualizer';
import type { LitVirtualizer } from '@lit-labs/virtualizer';
import { html } from 'lit';
import { gridRecords, inOrder, type GridRecord } from './grid-under-test.ts';
import { openGrid } from './open-grid.ts';

// Without keys of their own the rows are new for every record; with these few they are recycled.
const isRecycling = new URLSearchParams(location.search).has('recycling');

openGrid((place) => {
  let records = gridRecords();
  const grid = document.createElement('lit-virtualizer') as LitVirtualizer<GridRecord>;
  grid.scroller = true;
  grid.style.height = '600px';
  grid.setAttribute('role', 'grid');
  grid.renderItem = ({ uid, title }) =>
    html`<div role="row" style="height: 30px">
      <span role="gridcell">${uid}</span><span role="gridcell">${title}</span>
      ${[1, 2].map(
        () =>
          html`<span role="gridcell"
            ><locked-by-cell entity-type="ApprovalRequest" entity-uid=${uid}></locked-by-cell
          ></span>`,
      )}
    </div>`;
  if (isRecycling) grid.keyFunction = ({ uid }) => Number(uid.slice(1)) % 60;
  grid.items = records;
  place.append(grid);
  return {
    rows: () => [...grid.querySelectorAll('[role=row]')],
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
