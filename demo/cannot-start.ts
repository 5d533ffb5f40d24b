/** Puts the reason on the page where the page itself cannot come: an empty one would tell nobody anything. */
export function sayCannotStart(place: Element | null, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const text = document.createElement('p');
  text.className = 'starting';
  text.setAttribute('role', 'alert');
  text.textContent = isSecureContext
    ? `This page could not start: ${reason}`
    : 'This page could not start: its mock backend is a service worker, which browsers allow over https and on localhost only.';
  place?.replaceChildren(text);
}
