const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * A time of day as the language writes it; on any other day than today with its date. A language that `Intl` refuses
 * falls back to the browser's own.
 */
export function formatLockTime(ms: number, language: string): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  const key = `${language} ${isToday}`;
  const formatter = formatters.get(key) ?? newFormatter(isToday, language);
  formatters.set(key, formatter);
  return formatter.format(ms);
}

function newFormatter(isToday: boolean, language?: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, {
      dateStyle: isToday ? undefined : 'medium',
      timeStyle: 'short',
    });
  } catch {
    return newFormatter(isToday);
  }
}
