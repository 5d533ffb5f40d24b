/** The longest name that is stored and shown, in characters. */
export const MAX_NAME_LENGTH = 200;

// Control characters, line separators, and the marks that turn the direction of the text round them (Unicode UAX #9).
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/**
 * A name as other people will see it: nothing that breaks a line, a log or the direction of their text, no more than
 * {@link MAX_NAME_LENGTH} characters. `fallback` where nothing is left.
 */
export function displayName(claimed: unknown, fallback: string): string {
  const name = typeof claimed === 'string' ? claimed.slice(0, 10 * MAX_NAME_LENGTH) : '';
  // By code point, so that the cut never leaves half a surrogate pair.
  const points = Array.from(name.replace(UNSHOWABLE, '').normalize('NFC').trim());
  const shown = points.slice(0, MAX_NAME_LENGTH).join('');
  return shown === '' ? fallback : shown;
}
