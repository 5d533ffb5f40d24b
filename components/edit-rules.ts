/** What is operated in order to edit. */
const CONTROL =
  'input, select, textarea, button, label, [contenteditable], [role=button], [role=checkbox], [role=switch], ' +
  '[role=radio], [role=option], [role=slider]';
/** What leads elsewhere or shows more, and changes nothing. `href="#"` is a button in disguise. */
const NAVIGATION =
  'a[href]:not([href="#"], [href^="javascript:" i], [role=button]), area[href], summary, [role=tab], audio, video';
/** What always works, with everything in it. */
const ALLOWED = '[data-lock-allow], lock-banner, [role=tooltip], [popover=hint]';
const TEXT = /^(text|search|url|tel|email|password)$/;

/**
 * The elements of an event's path from its target out to `body`, or null when the event does not come from there
 * (but from the banner beside it).
 */
export function pathInBody(event: Event, body: Element | null): readonly Element[] | null {
  const path = event.composedPath();
  const end = body === null ? path.length : path.indexOf(body);
  return end < 0 ? null : path.slice(0, end).filter((target) => target instanceof Element);
}

/** Whether an event on this path may always go on: a link, a `summary`, a tab, or something the application allows. */
export function isAllowed(path: readonly Element[]): boolean {
  if (path.some((element) => element.matches(ALLOWED))) return true;
  return path.find((element) => element.matches(`${CONTROL}, ${NAVIGATION}`))?.matches(NAVIGATION) ?? false;
}

/** Whether the path starts in something that can be operated. */
export function isControl(path: readonly Element[]): boolean {
  return controlKind(path[0]) !== 'none' || path.some((element) => element.matches(CONTROL));
}

/**
 * How a control takes input: by typing text, which may be selected and copied, or by turning it like a knob. A custom
 * element may hide either, and counts as a knob.
 */
export function controlKind(target: Element | undefined): 'text' | 'knob' | 'none' {
  if (target === undefined) return 'none';
  if (target instanceof HTMLInputElement) {
    return TEXT.test(target.type) && target.list === null ? 'text' : 'knob';
  }
  if (target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)) {
    return 'text';
  }
  return target.matches('select, option, button') || target.localName.includes('-') ? 'knob' : 'none';
}
