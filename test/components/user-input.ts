import { sendKeys, sendMouse } from '@web/test-runner-commands';

/** A click of the real mouse in the middle of an element. */
export async function clickOn(
  element: Element,
  offset: { readonly x?: number; readonly y?: number } = {},
): Promise<void> {
  element.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const position: [number, number] = [
    Math.round(left + (offset.x ?? width / 2)),
    Math.round(top + (offset.y ?? height / 2)),
  ];
  await sendMouse({ type: 'click', position });
}

/** Types as a person would, into whatever has the focus. */
export async function type(text: string): Promise<void> {
  await sendKeys({ type: text });
}

/** One key, or a combination such as `Control+z`. */
export async function press(key: string): Promise<void> {
  await sendKeys({ press: key });
}

/** The next frame has been drawn: whatever the browser puts off until then has happened. */
export async function nextDrawing(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
