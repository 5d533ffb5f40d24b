import { controlKind, isAllowed, pathInBody } from './edit-rules.ts';

// Stopped altogether. `change` also keeps a save-on-change form from saving at the moment it is locked.
const STOPPED =
  'submit reset click dblclick keypress keyup beforeinput input change drop paste cut command'.split(' ');
// Stopped for the application; what the browser makes of them depends.
const WEIGHED = 'keydown beforetoggle pointerdown mousedown touchstart dragstart contextmenu wheel'.split(
  ' ',
);

const PASSING_KEY = /^(Tab|Escape|Shift|Control|Alt|AltGraph|Meta|F\d+)$/;

/**
 * Stops everything that edits inside one guard, on the way down: `inert` alone lets labels, `form=` buttons,
 * `requestSubmit()`, `commandfor` and open dialogs through. Reading stays possible: focus, selection, copying, links.
 * What the browser offers no event for (`form.submit()`, values set by script) is not stopped, nor what an input method
 * writes into an editable element, of which the application hears nothing, however.
 */
export class InputBlocker implements EventListenerObject {
  /** The application is filling the form: it may reset it. */
  isLoading = false;
  /** What a field contained when an input method was about to write into it. */
  #before: { readonly target: Element; readonly text: string } | null = null;
  readonly #guard: HTMLElement;
  readonly #body: () => Element | null;

  /** `body` gives the part of the guard that is blocked; null means all of it. */
  constructor(guard: HTMLElement, body: () => Element | null) {
    this.#guard = guard;
    this.#body = body;
  }

  /** Idempotent, as is {@link stop}. */
  start(): void {
    for (const type of [...STOPPED, ...WEIGHED]) {
      this.#guard.addEventListener(type, this, { capture: true, passive: false });
    }
  }

  stop(): void {
    for (const type of [...STOPPED, ...WEIGHED]) this.#guard.removeEventListener(type, this, true);
  }

  handleEvent(event: Event): void {
    const path = pathInBody(event, this.#body());
    if (path === null || isAllowed(path)) return;
    // Scripts announce values they have filled in with these; only a person edits.
    if (!event.isTrusted && /^(input|change)$/.test(event.type)) return;
    if (this.isLoading && event.type === 'reset') return;
    if (event instanceof KeyboardEvent && isReading(event)) return;
    if ('newState' in event && event.newState !== 'open') return;
    this.#undo(event, path[0]);
    event.stopImmediatePropagation();
    if (STOPPED.includes(event.type) || hasEditingDefault(event, path[0])) event.preventDefault();
  }

  /** An input method writes without asking; what it has written goes again. */
  #undo(event: Event, target: Element | undefined): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (event.type === 'beforeinput' && !event.cancelable) this.#before = { target, text: target.value };
    else if (event.type === 'input' && this.#before?.target === target) {
      target.value = this.#before.text;
      this.#before = null;
    }
  }
}

/** Keys that the rest of the page may need, and those for copying. */
function isReading(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  const clears = event.key === 'Escape' && target instanceof HTMLInputElement && target.type === 'search';
  return (
    (PASSING_KEY.test(event.key) && !clears) ||
    ((event.ctrlKey || event.metaKey) && /^[acfp]$/i.test(event.key))
  );
}

function hasEditingDefault(event: Event, target: Element | undefined): boolean {
  const kind = controlKind(target);
  switch (event.type) {
    case 'beforetoggle':
      return true;
    case 'keydown': {
      const { key, ctrlKey, metaKey } = event as KeyboardEvent;
      // Undo need not be cancelable by itself, and the browser would save the page; the arrows open suggestions.
      if (ctrlKey || metaKey) return kind === 'knob' || /^([zys]|Enter)$/i.test(key);
      return (
        kind === 'knob' ||
        (target instanceof HTMLInputElement && /^(Enter|Escape|ArrowUp|ArrowDown)$/.test(key))
      );
    }
    case 'mousedown':
      // A number's spin buttons are part of it, so that its text can only be selected as a whole.
      if (target instanceof HTMLInputElement && kind === 'knob') target.focus({ preventScroll: true });
      if (target instanceof HTMLInputElement && target.type === 'number') target.select();
      return kind === 'knob';
    case 'touchstart':
      return target instanceof HTMLInputElement && target.type === 'range';
    case 'dragstart':
      return target instanceof HTMLElement && target.draggable;
    case 'wheel':
      return target instanceof HTMLInputElement && target.type === 'number' && target.matches(':focus');
    default:
      return false;
  }
}
