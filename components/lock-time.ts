const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * A time of day as the language writes it; on any other day than today with its date. A language that `Intl` refuses
 * falls back to the browser's own.
 */
export function formatLockTime(ms: number, language: string): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  const key = `${language} ${isToday}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) formatters.set(key, (formatter = newFormatter(language, isToday)));
  return formatter.format(ms);
}

function newFormatter(language: string, isToday: boolean): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: 'short' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  try {
    return new Intl.DateTimeFormat(language || undefined, options);
  } catch {
    return new Intl.DateTimeFormat(undefined, options);
  }
}
