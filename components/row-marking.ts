import { composedParent } from './composed-parent.ts';
import { adoptRowDimming } from './row-dimming.ts';

interface Mark {
  readonly by: 'other' | 'me';
  /** The row's child that contains the marking cell, or is it. */
  readonly column: Element;
}

const marks = new WeakMap<Element, Set<Mark>>();

/**
 * Marks the row around `cell` with `data-locked-by`, through shadow boundaries, and the column of the cell with
 * `data-lock-cell`, so that it is not dimmed with the others. Several cells of one row count: `other` wins over `me`.
 * Returns what takes the mark off again; nothing is marked where no element around matches `selector`.
 */
export function markRow(cell: Element, selector: string, by: Mark['by']): () => void {
  let column = cell;
  let node = composedParent(cell);
  while (node !== null && !(node instanceof Element && node.matches(selector))) {
    if (node instanceof Element) column = node;
    node = composedParent(node);
  }
  if (node === null) return () => {};
  const row: Element = node;
  const mark: Mark = { by, column };
  const all = marks.get(row) ?? new Set();
  marks.set(row, all.add(mark));
  column.toggleAttribute('data-lock-cell', true);
  adoptRowDimming(row.getRootNode());
  show(row, all);
  return () => {
    all.delete(mark);
    if (![...all].some((other) => other.column === column)) column.removeAttribute('data-lock-cell');
    show(row, all);
  };
}

function show(row: Element, all: ReadonlySet<Mark>): void {
  const holders = [...all].map(({ by }) => by);
  const by = holders.includes('other') ? 'other' : holders[0];
  if (by === undefined) row.removeAttribute('data-locked-by');
  else row.setAttribute('data-locked-by', by);
}
