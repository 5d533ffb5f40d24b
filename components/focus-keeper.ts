import { isInside } from './composed-parent.ts';

const FIELD = 'input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [contenteditable]';

/**
 * Notes what has the focus inside `body`; call it before `inert` takes it, as one frame later it is gone. Returns what
 * gives it back, with selection and caret, where it is on nothing since; where it is on the banner beside, whose
 * buttons are about to go, it goes at least to the first field. A form that `isNew` begins at its `[autofocus]`, which
 * the browser has passed over.
 */
export function keepFocus(guard: Element, body: Element, isNew: boolean): () => void {
  const focused = activeElement();
  const target = isInside(focused, body) ? focused : null;
  const first = (selector: string): HTMLElement | undefined =>
    [...guard.querySelectorAll<HTMLElement>(selector)].find((field) => isInside(field, body));
  return () => {
    const active = activeElement();
    const isOnBanner = isInside(active, guard) && !isInside(active, body);
    if (active !== null && active !== document.body && !isOnBanner) return;
    const start = isNew || isOnBanner ? first('[autofocus]') : undefined;
    (target ?? start ?? (isOnBanner ? first(FIELD) : undefined))?.focus({ preventScroll: true });
  };
}

/** The focused element itself, however deep in shadow trees. */
function activeElement(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}
