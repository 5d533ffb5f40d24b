export type ColorScheme = 'light' | 'dark';

const KEY = 'rowlock-demo-color-scheme';

const system = (): ColorScheme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** What the page shows now: the reader's choice, or else the system's. */
export function currentColorScheme(): ColorScheme {
  const chosen = document.documentElement.dataset['scheme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : system();
}

/** Puts a choice of an earlier visit into force. */
export function restoreColorScheme(): void {
  const stored = localStorage.getItem(KEY);
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset['scheme'] = stored;
}

/** The other one. Choosing what the system has anyway goes back to following it. */
export function toggleColorScheme(): void {
  const next: ColorScheme = currentColorScheme() === 'dark' ? 'light' : 'dark';
  if (next === system()) {
    delete document.documentElement.dataset['scheme'];
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset['scheme'] = next;
    localStorage.setItem(KEY, next);
  }
}

/** Calls back when the system changes its mind. Returns its own unsubscribe. */
export function onSystemColorScheme(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
