/** The longest name that is stored and shown, in characters. */
export const MAX_NAME_LENGTH = 200;

// Control characters, line separators, halves of surrogate pairs, the marks that turn the direction of the text round
// them (Unicode UAX #9), and what takes no room and makes one name look like another. Joiners stay: scripts need them.
const UNSHOWABLE =
  /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Something that the eye can see. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{M}]/u;

/** Nearly all names, which need no second look: lists read a thousand of them. */
const PLAIN = /^[!-~](?:[ -~]{0,198}[!-~])?$/;

/**
 * A name as other people will see it: nothing that breaks a line, a log or the direction of their text, no more than
 * {@link MAX_NAME_LENGTH} characters. `fallback` where nothing is left that can be seen.
 */
export function displayName(claimed: unknown, fallback: string): string {
  if (typeof claimed !== 'string') return fallback;
  if (PLAIN.test(claimed)) return claimed;
  const name = claimed.slice(0, 10 * MAX_NAME_LENGTH);
  // By code point, so that the cut never leaves half a surrogate pair.
  const points = Array.from(name.replace(UNSHOWABLE, '').normalize('NFC').trim());
  const shown = points.slice(0, MAX_NAME_LENGTH).join('').trimEnd();
  return VISIBLE.test(shown) ? shown : fallback;
}
