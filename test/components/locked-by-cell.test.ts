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
  afterEach(() =>
    emulateMedia({ forcedColors: 'none', colorScheme: 'light', reducedMotion: 'no-preference' }),
  );

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

  it('names the holder and marks the row, and takes both back when the record is free (R12)', async () => {
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

  it('dims the other cells of a locked row, never its own (R16)', async () => {
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

  it('uses GrayText instead of opacity in forced colours (R16)', async () => {
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

  it('finds its row where the grid slots the cells (R12, R13)', async () => {
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

  it('finds its row out of the shadow tree of a cell’s own element (R13)', async () => {
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

  it('marks what row-selector names, and what it names next (R13)', async () => {
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

  it('is recycled: the old record and its mark go before the new one comes (R10)', async () => {
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

  it('clears its mark when it is disconnected, and comes back with it (R11)', async () => {
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

  it('follows its row when it is moved without being disconnected (R11)', async () => {
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

  it('shares its row with another cell: the mark goes with the last one, and "other" wins (R12)', async () => {
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

  for (const [page, color, background] of [
    ['a white page', '#212529', '#ffffff'],
    ['a white page in the browser’s own colours', 'CanvasText', 'Canvas'],
    ['a dark page', '#dee2e6', '#212529'],
    ['a dark page in the browser’s own colours', 'CanvasText', 'Canvas'],
  ] as const) {
    it(`leaves dimmed text readable on ${page}: at least 4.5:1, the holder’s name in full (R16)`, async () => {
      await emulateMedia({ colorScheme: page.includes('dark') ? 'dark' : 'light' });
      const table = await tableOf(['1']);
      table.style.cssText = `color-scheme: light dark; color: ${color}; background: ${background}`;
      client.tell('1', 'Anna');
      const [dimmed, own] = [...(table.rows[0]?.cells ?? [])];
      expect(contrastIn(dimmed ?? table, table)).to.be.within(4.5, 20);
      expect(contrastIn(own ?? table, table)).to.equal(fullContrastOf(table));
      // A parent's opacity could not be undone further in.
      for (
        let node: Element | null = cellIn(table);
        node !== null && node !== table;
        node = node.parentElement
      ) {
        expect(getComputedStyle(node).opacity).to.equal('1');
      }
    });
  }

  it('never moves or fades, whatever the user prefers (R16)', async () => {
    const table = await tableOf(['1']);
    client.tell('1', 'Anna');
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await emulateMedia({ reducedMotion });
      for (const node of [table.rows[0], ...(table.rows[0]?.cells ?? []), cellIn(table)]) {
        const { transitionDuration, animationName } = getComputedStyle(node ?? table);
        expect([transitionDuration, animationName]).to.deep.equal(['0s', 'none']);
      }
    }
  });

  it('dims the cells beside its own where a grid keeps pinned columns in boxes of their own (R16)', async () => {
    const row = await fixtureWith<HTMLElement>(
      client,
      html`<div role="row">
        <div class="pinned"><b role="gridcell">1</b></div>
        <div class="middle">
          <b role="gridcell">A title</b>
          <b role="gridcell"><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></b>
        </div>
      </div>`,
    );
    const drawn = (): number[] =>
      [...row.querySelectorAll('b')].map(
        (cell) =>
          Number(getComputedStyle(cell).opacity) *
          Number(getComputedStyle(cell.parentElement ?? cell).opacity),
      );
    client.tell('1', 'Anna');
    expect(drawn()).to.deep.equal([0.65, 0.65, 1]);
    client.tell('1', 'Me', true);
    expect(drawn()).to.deep.equal([1, 1, 1]);
    client.tell('1', null);
    expect(row.querySelectorAll('[data-lock-cell]').length).to.equal(0);
  });

  it('touches one row and one column for one change among 2,000 cells, marked ones too (R15)', async () => {
    const uids = Array.from({ length: 2_000 }, (_, index) => String(index));
    const table = await tableOf(uids);
    for (const uid of uids) if (uid !== '7') client.tell(uid, 'Anna');
    const touched = new Set<Node>();
    const observer = new MutationObserver((records) => records.forEach(({ target }) => touched.add(target)));
    observer.observe(table, { subtree: true, attributes: true, childList: true, characterData: true });
    // What one change looks at, by counting what any Set hands out meanwhile.
    const { [Symbol.iterator]: iterate } = Set.prototype;
    let looks = 0;
    Set.prototype[Symbol.iterator] = function* (this: Set<unknown>) {
      for (const value of { [Symbol.iterator]: () => iterate.call(this) }) {
        looks += 1;
        yield value;
      }
      return undefined;
    } as typeof iterate;
    client.tell('7', 'Ben');
    Set.prototype[Symbol.iterator] = iterate;
    await Promise.resolve();
    observer.disconnect();
    expect(looks).to.be.within(1, 5);
    expect([...touched].map((node) => (node as Element).localName).sort()).to.deep.equal(['td', 'tr']);
    expect(markOf(table.rows[7])).to.equal('other');
    expect(client.watchCount).to.equal(2_000);
    expect(document.adoptedStyleSheets.length).to.be.lessThan(5);
  });
});

/** WCAG's contrast of a cell's text against the table's background, its opacity counted in. */
function contrastIn(cell: Element, table: Element): number {
  const { color, opacity } = getComputedStyle(cell);
  const behind = channels(getComputedStyle(table).backgroundColor);
  const share = Number(opacity);
  const drawn = channels(color).map((value, at) => value * share + (behind[at] ?? 0) * (1 - share));
  const [lighter = 0, darker = 0] = [luminance(drawn), luminance(behind)].sort((one, other) => other - one);
  return (lighter + 0.05) / (darker + 0.05);
}

function fullContrastOf(table: Element): number {
  const [light = 0, dark = 0] = [getComputedStyle(table).color, getComputedStyle(table).backgroundColor]
    .map((text) => luminance(channels(text)))
    .sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

function channels(color: string): number[] {
  return (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/** WCAG 2.2, relative luminance. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
