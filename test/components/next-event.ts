/** The next event of a type, as what it is. Call it before the event is caused. */
export function nextEvent<K extends keyof HTMLElementEventMap>(
  target: HTMLElement,
  type: K,
): Promise<HTMLElementEventMap[K]> {
  return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}
