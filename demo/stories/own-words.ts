import { lockMessage, type LockMessageKey, type LockMessages } from '../../components/index.ts';
import { fr } from '../../components/locales/fr.ts';

/** An application that has orders, and says so. */
export const OWN_WORDS = {
  held: '{name} is working on this order.',
  lost: '{name} has taken this order.',
  changed: 'This order has changed since you opened it.',
  takeOverText: 'Take this order from {name}? {name} can then no longer save it.',
  released: 'You are no longer working on this order.',
  unknown: 'Nobody can say who is working on this order.',
} as const satisfies Partial<LockMessages>;

const ACCENTS: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ô', u: 'ü', c: 'ç', n: 'ñ' };

/** English with accents, in brackets, a third longer: whatever looks otherwise on a page is not translatable. */
export function pseudoMessages(): LockMessages {
  const keys = Object.keys(fr) as LockMessageKey[];
  return Object.fromEntries(
    keys.map((key) => [key, key === 'language' ? 'en' : pseudo(lockMessage('en', key))]),
  ) as LockMessages;
}

function pseudo(text: string): string {
  const accented = text.replace(/\{\w+\}|[aeioucn]/g, (part) => ACCENTS[part] ?? part);
  return `[${accented} ${'~'.repeat(Math.ceil(text.length / 3))}]`;
}
