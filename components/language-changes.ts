const listeners = new Set<() => void>();
let observer: MutationObserver | undefined;

/** Texts already shown may have to be others now. */
export function tellLanguageChange(): void {
  for (const listener of listeners) listener();
}

/**
 * Calls back when a `lang` of the document has changed, or texts were registered. A `lang` inside a shadow tree is not
 * watched: it counts from the next time an element draws. Returns its own unsubscribe.
 */
export function onLanguageChange(listener: () => void): () => void {
  if (observer === undefined) {
    observer = new MutationObserver(tellLanguageChange);
    observer.observe(document, { attributeFilter: ['lang'], subtree: true });
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}
