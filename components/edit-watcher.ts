import { isAllowed, isControl, pathInBody } from './edit-rules.ts';

/** Calls `onEdit` for whatever a person does inside `element` in order to edit, before the form itself hears of it. */
export function watchEdits(element: HTMLElement, body: () => Element | null, onEdit: () => void): void {
  const listener = (event: Event): void => {
    const path = event.isTrusted ? pathInBody(event, body()) : null;
    if (path === null || isAllowed(path) || (event.type === 'pointerdown' && !isControl(path))) return;
    onEdit();
  };
  for (const type of ['beforeinput', 'input', 'change', 'submit', 'pointerdown']) {
    element.addEventListener(type, listener, true);
  }
}
