import { isInside } from './composed-parent.ts';

const FIELD =
  '[autofocus], input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [contenteditable]';

/**
 * Notes what has the focus inside `body`; call it before `inert` takes it, as one frame later it is gone. Returns what
 * gives it back, with selection and caret, where it is on nothing since; where it is on the banner beside, whose
 * buttons are about to go, it goes at least to the first field.
 */
export function keepFocus(guard: Element, body: Element): () => void {
  const focused = activeElement();
  let target = isInside(focused, body) ? focused : null;
  return () => {
    const active = activeElement();
    if (isInside(active, guard) && !isInside(active, body)) {
      target ??=
        [...guard.querySelectorAll<HTMLElement>(FIELD)].find((field) => isInside(field, body)) ?? null;
    } else if (active !== null && active !== document.body) return;
    target?.focus({ preventScroll: true });
  };
}

/** The focused element itself, however deep in shadow trees. */
function activeElement(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}
