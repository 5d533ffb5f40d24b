/** The page's language, as its markup says. */
const language = (): string => document.documentElement.lang || 'en';

/** `€1,840.00` */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(language(), { style: 'currency', currency }).format(amount);
}

/** `Mar 9, 2026`, from `2026-03-09`. */
export function formatDay(isoDay: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(isoDay),
  );
}

/** `Mar 9, 2:05 PM` in the reader's time zone. */
export function formatMoment(iso: string): string {
  const parts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(language(), parts).format(new Date(iso));
}

/** `2:05:09 PM` */
export function formatClock(ms: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(ms);
}
