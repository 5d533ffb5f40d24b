import { html, render } from 'lit';
import { gridStory } from './grid-story.ts';
import type { OrderRow } from './sample-rows.ts';

/** Rows that exist only while they are in view. */
export const gridVirtualizer = gridStory({
  id: 'grid-virtualizer',
  title: 'Lit virtualizer, 2,000 rows',
  about:
    'Two thousand orders, of which only those in view exist as elements. Scroll: cells come and go without a request. Ben is editing orders 4702, 4709 and 4960, and the right rows are marked in every frame.',
  rows: 2_000,
  async make(place, rows) {
    await import('@lit-labs/virtualizer');
    const row = ({ ref, number, customer, goods }: OrderRow) =>
      html`<div role="row" class="story-virtual-row">
        <span role="gridcell">${number}</span>
        <span role="gridcell">${customer}</span>
        <span role="gridcell">${goods}</span>
        <span role="gridcell">
          <locked-by-cell entity-type=${ref.entityType} entity-uid=${ref.entityUid}></locked-by-cell>
        </span>
      </div>`;
    render(
      html`<lit-virtualizer
        class="story-virtual"
        role="grid"
        aria-label="Orders"
        aria-rowcount=${rows.length}
        tabindex="0"
        scroller
        .items=${[...rows]}
        .renderItem=${row}
      ></lit-virtualizer>`,
      place,
    );
    return () => render(html``, place);
  },
  source: `import '@lit-labs/virtualizer';
import 'rowlock/define';
import { html } from 'lit';

const orderList = (orders) => html\`
  <lit-virtualizer
    role="grid"
    scroller
    .items=\${orders}
    .renderItem=\${({ id, title }) => html\`
      <div role="row">
        <span role="gridcell">\${title}</span>
        <span role="gridcell"><locked-by-cell entity-type="Order" entity-uid=\${id}></locked-by-cell></span>
      </div>
    \`}
  ></lit-virtualizer>
\`;`,
});
