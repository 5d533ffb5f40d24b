import { css } from 'lit';

// No specificity, so that any rule of the application wins. 0.65 keeps #212529 on white at 4.88:1 (WCAG AA: 4.5).
const dimming = css`
  :where([data-locked-by='other']) > :where(:not([data-lock-cell])) {
    opacity: var(--lock-dim-opacity, 0.65);
  }
  @media (forced-colors: active) {
    :where([data-locked-by='other']) > :where(:not([data-lock-cell])) {
      opacity: 1;
      color: GrayText;
    }
  }
`;

/** Dims, in this tree, the cells of rows that somebody else holds; the cell that says who stays as it is. Idempotent. */
export function adoptRowDimming(root: Node): void {
  const { styleSheet } = dimming;
  if (styleSheet === undefined || !(root instanceof Document || root instanceof ShadowRoot)) return;
  if (!root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
}
