import { isInside } from './composed-parent.ts';

/** Remembers where the focus was before `inert` took it, and gives it back if nobody has moved on since. */
export class FocusKeeper {
  #saved: HTMLElement | null = null;

  /** Call it before the focus is taken: one frame later it is gone. */
  save(body: Element): void {
    const active = deepActiveElement();
    if (active !== null && isInside(active, body)) this.#saved = active;
  }

  /**
   * Gives the focus back where it is on nothing, or in `banner`, whose buttons are about to go. Selection and caret
   * return with it. Without a saved element only a banner's focus is handed on, to the first field.
   */
  restore(body: Element, banner: Node): void {
    const active = deepActiveElement();
    const wasInBanner = active !== null && !isInside(active, body) && isInside(active, banner);
    const target = this.#saved?.isConnected === true ? this.#saved : null;
    this.#saved = null;
    if (wasInBanner) (target ?? firstField(body))?.focus({ preventScroll: true });
    else if (active === null || active === document.body || active === target)
      target?.focus({ preventScroll: true });
  }
}

/** The focused element itself, however deep in shadow trees. */
function deepActiveElement(): HTMLElement | null {
  let active: Element | null = null;
  for (let next = document.activeElement; next !== null; next = next.shadowRoot?.activeElement ?? null)
    active = next;
  return active instanceof HTMLElement ? active : null;
}

function firstField(body: Element): HTMLElement | null {
  const [slot] = body.children;
  if (!(slot instanceof HTMLSlotElement)) return null;
  for (const element of slot.assignedElements({ flatten: true })) {
    const field = element.matches(FIELD) ? element : element.querySelector<HTMLElement>(FIELD);
    if (field instanceof HTMLElement) return field;
  }
  return null;
}

const FIELD =
  '[autofocus], input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [contenteditable]';
