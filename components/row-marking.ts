import { css } from 'lit';
import { composedParent } from './composed-parent.ts';

interface Mark {
  readonly row: Element;
  readonly by: 'other' | 'me';
  /** The cell of the row that contains the marking one, then what is around it up to the row: some grids pin columns so. */
  readonly columns: readonly Element[];
}

/** By row: a change costs as much in a grid of ten thousand cells as in one of ten. */
const marks = new WeakMap<Element, Set<Mark>>();

// No specificity, so that any rule of the application wins. 0.65 keeps #212529 on white at 4.88:1 (WCAG AA: 4.5).
const dimming = css`
  :where(
    [data-locked-by='other'] > :not([data-lock-cell]),
    [data-locked-by='other'] [data-lock-cell='in'] > :not([data-lock-cell])
  ) {
    opacity: var(--lock-dim-opacity, 0.65);
    @media (forced-colors: active) {
      opacity: 1;
      color: GrayText;
    }
  }
`;

/**
 * Marks the row around `cell` with `data-locked-by`, through shadow boundaries, and the column of the cell with
 * `data-lock-cell`, so that it is not dimmed with the others. Several cells of one row count: `other` wins over `me`.
 * Returns what takes the mark off again; nothing is marked where no element around matches `selector`.
 */
export function markRow(cell: Element, selector: string, by: Mark['by']): () => void {
  let columns = [cell];
  let node = composedParent(cell);
  while (node !== null && !(node instanceof Element && node.matches(selector))) {
    if (node instanceof Element) {
      // A gridcell is a column wherever it is; without one, it is what the row consists of.
      if (!columns[0]?.matches('td,th,[role=gridcell]')) columns = [];
      columns.push(node);
    }
    node = composedParent(node);
  }
  if (node === null) return () => {};
  const mark: Mark = { row: node, columns, by };
  const all = marks.get(node) ?? new Set();
  marks.set(node, all.add(mark));
  // A cell is shown while it is connected.
  const { adoptedStyleSheets } = node.getRootNode() as Document | ShadowRoot;
  const { styleSheet } = dimming;
  if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
  show(mark, all);
  return () => {
    all.delete(mark);
    show(mark, all);
  };
}

function show({ row, columns }: Mark, marks: ReadonlySet<Mark>): void {
  const all = [...marks];
  const { by } = all.find((mark) => mark.by === 'other') ?? all[0] ?? {};
  for (const column of columns) {
    const { columns: own } = all.find((mark) => mark.columns.includes(column)) ?? {};
    if (own) column.setAttribute('data-lock-cell', column === own[0] ? '' : 'in');
    else column.removeAttribute('data-lock-cell');
  }
  if (by) row.setAttribute('data-locked-by', by);
  else row.removeAttribute('data-locked-by');
}
