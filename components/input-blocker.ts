import { editingPath, isKnob } from './edit-rules.ts';

// Stopped altogether. `change` also keeps a save-on-change form from saving at the moment it is locked.
const STOPPED =
  'submit reset click dblclick keypress keyup beforeinput input change drop paste cut command beforetoggle';

const isInput = (target: unknown, type: string): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === type;

/** Stopped for the application; says whether what the browser makes of them edits, and is stopped as well. */
const WEIGHED: Readonly<Record<string, (event: Event, target: Element | undefined) => boolean>> = {
  pointerdown: () => false,
  contextmenu: () => false,
  keydown: (event, target) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    // Undo need not be cancelable by itself, and the browser would save the page; the arrows open suggestions.
    const isEditing =
      ctrlKey || metaKey
        ? /^([zys]|Enter)$/i.test(key)
        : target instanceof HTMLInputElement && /^(Enter|Escape|Arrow(Up|Down))$/.test(key);
    return isEditing || isKnob(target);
  },
  mousedown: (_, target) => {
    const isStopped = isKnob(target);
    // A number's spin buttons are part of it, so that its text can only be selected as a whole.
    if (isStopped && target instanceof HTMLInputElement) {
      target.focus({ preventScroll: true });
      target.select();
    }
    return isStopped;
  },
  dragstart: (_, target) => target instanceof HTMLElement && target.draggable,
  touchstart: (_, target) => isInput(target, 'range'),
  wheel: (_, target) => isInput(target, 'number') && target.matches(':focus'),
};

/** The events to listen to, in capture. */
export const INPUT_EVENTS = [...STOPPED.split(' '), ...Object.keys(WEIGHED)];
/** Of these, the ones to listen to only while blocked, and not passively: they make scrolling wait for the script. */
export const SCROLL_EVENTS = INPUT_EVENTS.splice(-2);
const PASSING_KEY = /^(Tab|Escape|Shift|Control|Alt|Meta|F\d)/;

/** Takes back what an input method writes without asking. */
let undo = (): void => {};

/**
 * Stops everything that edits inside `body` (null = everywhere), on the way down: `inert` alone lets labels, `form=`
 * buttons, `requestSubmit()`, `commandfor` and open dialogs through. Reading stays possible: focus, selection, copying,
 * links. What the browser offers no event for (`form.submit()`, values set by script) is not stopped, nor what an input
 * method writes into an editable element, of which the application hears nothing, however.
 *
 * While the application `isLoading` it fills the form, and may reset it.
 */
export function blockInput(event: Event, body: Element | null, isLoading: boolean): void {
  const { type, cancelable } = event;
  const path = editingPath(event, body);
  const target = path?.[0];
  if (
    path === null ||
    // Scripts announce values they have filled in with these; only a person edits.
    (!event.isTrusted && /^(input|change)$/.test(type)) ||
    (isLoading && type === 'reset') ||
    (event instanceof KeyboardEvent && isReading(event, target)) ||
    ('newState' in event && event.newState !== 'open')
  )
    return;
  if (type === 'beforeinput' && !cancelable && target !== undefined && 'value' in target) {
    const { value } = target;
    undo = () => (target.value = value);
  } else if (type === 'input') {
    undo();
    undo = () => {};
  }
  event.stopImmediatePropagation();
  if (WEIGHED[type]?.(event, target) ?? true) event.preventDefault();
}

/** Keys that the rest of the page may need, and those for copying. */
function isReading({ key, ctrlKey, metaKey }: KeyboardEvent, target: Element | undefined): boolean {
  if ((ctrlKey || metaKey) && /^[acfp]$/i.test(key)) return true;
  return PASSING_KEY.test(key) && !(key === 'Escape' && isInput(target, 'search'));
}
