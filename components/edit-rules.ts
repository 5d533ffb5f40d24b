import { composedParent } from './composed-parent.ts';

/** What is operated in order to edit. */
const CONTROL =
  'input, select, textarea, button, label, [contenteditable], [role=button], [role=checkbox], [role=switch], ' +
  '[role=radio], [role=option], [role=slider]';
/** What leads elsewhere or shows more, and changes nothing. `href="#"` is a button in disguise. */
const NAVIGATION =
  'a[href]:not([href="#"], [href^="javascript:" i], [role=button]), area[href], summary, [role=tab], audio, video';
/** What always works, with everything in it. */
const ALLOWED = '[data-lock-allow], lock-banner, [role=tooltip], [popover=hint]';

/**
 * The elements from an event's target out to `body` (null = all of them), or null when the event may go on: it does not
 * come from there but from the banner beside it, or from a link, a `summary`, a tab, or something the application
 * allows. Not the event's own path, which may end in a shadow tree inside `body`.
 */
export function editingPath(event: Event, body: Element | null): readonly Element[] | null {
  const elements: Element[] = [];
  let node = event.composedPath()[0] as Node | null;
  for (; node !== null && node !== body; node = composedParent(node)) {
    if (node instanceof Element) elements.push(node);
  }
  if (node !== body) return null;
  const operated = elements.find((element) => element.matches(`${CONTROL}, ${NAVIGATION}`));
  const isAllowed = operated?.matches(NAVIGATION) || elements.some((element) => element.matches(ALLOWED));
  return isAllowed ? null : elements;
}

/** Whether the path starts in something that can be operated. */
export function isControl(path: readonly Element[]): boolean {
  return isKnob(path[0]) || path.some((element) => element.matches(CONTROL));
}

/**
 * Whether a control takes input by being turned like a knob, not by typing text, which may be selected and copied. A
 * custom element may hide either, and counts as a knob.
 */
export function isKnob(target: Element | undefined): boolean {
  if (target instanceof HTMLInputElement) {
    return target.list !== null || !/^(text|search|url|tel|email|password)$/.test(target.type);
  }
  if (target instanceof HTMLElement && target.isContentEditable) return false;
  return target !== undefined && (target.matches('select, option, button') || target.localName.includes('-'));
}
