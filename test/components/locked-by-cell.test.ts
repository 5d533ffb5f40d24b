import { expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../components/define.ts';
import type { LockedByCell } from '../../components/locked-by-cell.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';

const nameOf = (cell: LockedByCell): string => cell.shadowRoot?.textContent ?? '';
const markOf = (row: Element | null | undefined): string | null | undefined =>
  row?.getAttribute('data-locked-by');

/** A grid like vaadin's: rows in its shadow tree, each column a slot for content that stays outside. */
class SlottingGrid extends HTMLElement {
  connectedCallback(): void {
    if (this.shadowRoot !== null) return;
    this.attachShadow({ mode: 'open' }).innerHTML =
      '<table><tr id="a"><td><slot name="a1"></slot></td><td><slot name="a2"></slot></td></tr>' +
      '<tr id="b"><td><slot name="b1"></slot></td><td><slot name="b2"></slot></td></tr></table>';
  }
}
customElements.define('slotting-grid', SlottingGrid);

/** A column's own element that keeps the cell in its shadow tree. */
class WrappedCell extends HTMLElement {
  readonly cell = document.createElement('locked-by-cell');

  connectedCallback(): void {
    if (this.shadowRoot === null) this.attachShadow({ mode: 'open' }).append(this.cell);
  }
}
customElements.define('wrapped-cell', WrappedCell);

describe('<locked-by-cell>', () => {
  let client: FakeLockClient;
  beforeEach(() => {
    client = new FakeLockClient();
  });
  afterEach(() => emulateMedia({ forcedColors: 'none' }));

  const tableOf = (uids: readonly string[], lang = 'en'): Promise<HTMLTableElement> =>
    fixtureWith<HTMLTableElement>(
      client,
      html`<table lang=${lang}>
        ${uids.map(
          (uid) =>
            html`<tr>
              <td>Order ${uid}</td>
              <td><locked-by-cell entity-type="Order" entity-uid=${uid}></locked-by-cell></td>
            </tr>`,
        )}
      </table>`,
    );
  const cellIn = (root: ParentNode): LockedByCell => root.querySelector('locked-by-cell') as LockedByCell;

  it('names the holder and marks the row, and takes both back when the record is free', async () => {
    const table = await tableOf(['1']);
    const cell = cellIn(table);
    expect(nameOf(cell)).to.equal('');
    client.tell('1', 'Anna Smith');
    expect(nameOf(cell)).to.equal('Anna Smith');
    expect(cell.shadowRoot?.querySelector('bdi')).to.exist;
    expect(markOf(table.rows[0])).to.equal('other');
    expect(cell.matches(':state(locked)')).to.be.true;
    client.tell('1', null);
    expect(nameOf(cell)).to.equal('');
    expect(markOf(table.rows[0])).to.equal(null);
    expect(cell.matches(':state(locked)')).to.be.false;
    expect(table.querySelector('[data-lock-cell]')).to.equal(null);
  });

  for (const [lang, you] of [
    ['en', 'You'],
    ['de-CH', 'Sie'],
  ] as const) {
    it(`says "${you}" of the user’s own lock in ${lang}, and dims nothing`, async () => {
      const table = await tableOf(['1'], lang);
      client.tell('1', 'Me', true);
      expect(nameOf(cellIn(table))).to.equal(you);
      expect(markOf(table.rows[0])).to.equal('me');
      expect(getComputedStyle(table.rows[0]?.cells[0] ?? table).opacity).to.equal('1');
    });
  }

  it('dims the other cells of a locked row, never its own', async () => {
    const table = await tableOf(['1', '2']);
    client.tell('1', 'Anna');
    const opacities = [...table.querySelectorAll('td')].map((cell) => getComputedStyle(cell).opacity);
    expect(opacities).to.deep.equal(['0.65', '1', '1', '1']);
    table.style.setProperty('--lock-dim-opacity', '0.8');
    expect(getComputedStyle(table.rows[0]?.cells[0] ?? table).opacity).to.equal('0.8');
  });

  it('gives way to any rule of the application', async () => {
    const style = document.createElement('style');
    style.textContent = 'td { opacity: 0.9 }';
    document.head.append(style);
    const table = await tableOf(['1']);
    client.tell('1', 'Anna');
    expect(getComputedStyle(table.rows[0]?.cells[0] ?? table).opacity).to.equal('0.9');
    style.remove();
  });

  it('uses GrayText instead of opacity in forced colours', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const table = await tableOf(['1']);
    client.tell('1', 'Anna');
    const cell = table.rows[0]?.cells[0] ?? table;
    const probe = document.createElement('i');
    probe.style.color = 'GrayText';
    table.after(probe);
    expect(getComputedStyle(cell).opacity).to.equal('1');
    expect(getComputedStyle(cell).color).to.equal(getComputedStyle(probe).color);
  });

  it('finds its row where the grid slots the cells', async () => {
    const grid = await fixtureWith<SlottingGrid>(
      client,
      html`<slotting-grid>
        <div slot="a1">Order 1</div>
        <div slot="a2"><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></div>
      </slotting-grid>`,
    );
    client.tell('1', 'Anna');
    const row = grid.shadowRoot?.querySelector('#a');
    expect(markOf(row)).to.equal('other');
    const opacities = [...(row?.children ?? [])].map((cell) => getComputedStyle(cell).opacity);
    expect(opacities).to.deep.equal(['0.65', '1']);
  });

  it('finds its row out of the shadow tree of a cell’s own element', async () => {
    const table = await fixtureWith<HTMLTableElement>(
      client,
      html`<table>
        <tr>
          <td>Order 1</td>
          <td><wrapped-cell></wrapped-cell></td>
        </tr>
      </table>`,
    );
    const wrapped = table.querySelector<WrappedCell>('wrapped-cell');
    if (wrapped !== null) Object.assign(wrapped.cell, { entityType: 'Order', entityUid: '1' });
    client.tell('1', 'Anna');
    expect(markOf(table.rows[0])).to.equal('other');
  });

  it('marks what row-selector names, and what it names next', async () => {
    const card = await fixtureWith<HTMLElement>(
      client,
      html`<section class="board">
        <article>
          <locked-by-cell row-selector="article" entity-type="Order" entity-uid="1"></locked-by-cell>
        </article>
      </section>`,
    );
    client.tell('1', 'Anna');
    expect(markOf(card.querySelector('article'))).to.equal('other');
    cellIn(card).rowSelector = '.board';
    expect(markOf(card.querySelector('article'))).to.equal(null);
    expect(markOf(card)).to.equal('other');
  });

  it('is recycled: the old record and its mark go before the new one comes', async () => {
    const table = await tableOf(['1', '2']);
    client.tell('1', 'Anna');
    const cell = cellIn(table);
    cell.entityUid = '3';
    expect([nameOf(cell), markOf(table.rows[0])]).to.deep.equal(['', null]);
    expect(client.watchCount).to.equal(2);
    client.tell('1', 'Ben');
    expect(nameOf(cell)).to.equal('');
    client.tell('3', 'Cleo');
    expect([nameOf(cell), markOf(table.rows[0])]).to.deep.equal(['Cleo', 'other']);
    cell.entityUid = '';
    expect([nameOf(cell), markOf(table.rows[0]), client.watchCount]).to.deep.equal(['', null, 1]);
  });

  it('clears its mark when it is disconnected, and comes back with it', async () => {
    const table = await tableOf(['1', '2']);
    client.tell('1', 'Anna');
    const cell = cellIn(table);
    cell.remove();
    expect(markOf(table.rows[0])).to.equal(null);
    expect(client.watchCount).to.equal(1);
    table.rows[1]?.cells[0]?.append(cell);
    await Promise.resolve();
    expect(markOf(table.rows[1])).to.equal('other');
    expect(nameOf(cell)).to.equal('Anna');
  });

  it('follows its row when it is moved without being disconnected', async () => {
    const table = await tableOf(['1', '2']);
    client.tell('1', 'Anna');
    const target = table.rows[1]?.cells[0];
    // Chromium has it; TypeScript's DOM does not know it yet.
    (target as unknown as { moveBefore(node: Node, before: Node | null): void }).moveBefore(
      cellIn(table),
      null,
    );
    expect([markOf(table.rows[0]), markOf(table.rows[1])]).to.deep.equal([null, 'other']);
  });

  it('shares its row with another cell: the mark goes with the last one, and "other" wins', async () => {
    const row = await fixtureWith<HTMLElement>(
      client,
      html`<div role="row">
        <span><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></span>
        <span><locked-by-cell entity-type="Order" entity-uid="2"></locked-by-cell></span>
      </div>`,
    );
    client.tell('1', 'Me', true);
    client.tell('2', 'Anna');
    expect(markOf(row)).to.equal('other');
    client.tell('2', null);
    expect(markOf(row)).to.equal('me');
    client.tell('2', 'Me', true);
    client.tell('1', null);
    expect(markOf(row)).to.equal('me');
    client.tell('2', null);
    expect(markOf(row)).to.equal(null);
  });

  it('takes properties that were set before it was defined', async () => {
    const cell = document.createElement('locked-by-cell');
    Object.defineProperty(cell, 'entityUid', {
      value: '9',
      configurable: true,
      writable: true,
      enumerable: true,
    });
    cell.setAttribute('entity-type', 'Order');
    const scope = await fixtureWith<HTMLElement>(client, html`<div></div>`);
    scope.append(cell);
    expect(client.watched).to.deep.equal(['Order/9']);
    expect(cell.getAttribute('entity-uid')).to.equal('9');
  });

  it('asks the provider around it anew when it moves to another one', async () => {
    const table = await tableOf(['1']);
    const other = new FakeLockClient();
    const elsewhere = await fixtureWith<HTMLElement>(other, html`<div></div>`);
    elsewhere.append(cellIn(table));
    expect([client.watchCount, other.watchCount]).to.deep.equal([0, 1]);
  });

  it('mounts 2,000 at once within 100 ms', async () => {
    const scope = await fixtureWith<HTMLElement>(client, html`<table></table>`);
    const markup = Array.from(
      { length: 2_000 },
      (_, index) =>
        `<tr><td>${index}</td><td><locked-by-cell entity-type="Order" entity-uid="${index}"></locked-by-cell></td></tr>`,
    ).join('');
    const plain = markup.replaceAll('locked-by-cell', 'plain-cell');
    const mount = (content: string): number => {
      const started = performance.now();
      scope.innerHTML = content;
      const duration = performance.now() - started;
      scope.textContent = '';
      return duration;
    };
    mount(plain);
    const [base, cells] = [mount(plain), mount(markup)];
    expect(client.watchCount).to.equal(0);
    // 100 ms is the goal; a slow machine has three times as long.
    expect(cells - base, 'milliseconds more than as many unknown elements').to.be.lessThan(300);
  });
});
