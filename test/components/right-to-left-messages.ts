import { lockMessage, type LockMessageKey, type LockMessages } from '../../components/lock-messages.ts';
import { fr } from '../../components/locales/fr.ts';

/**
 * English, letter by letter in the Hebrew alphabet: text that runs from right to left and can still be told apart.
 * Places stay as they are.
 */
export function rightToLeftMessages(): LockMessages {
  const keys = Object.keys(fr) as LockMessageKey[];
  const messages = keys.map((key) => [key, key === 'language' ? 'he' : toHebrew(lockMessage('en', key))]);
  return Object.fromEntries(messages) as LockMessages;
}

const toHebrew = (text: string): string =>
  text.replace(/\{\w+\}|[a-z]/gi, (part) =>
    part.length > 1 ? part : String.fromCharCode(0x5d0 + (part.toLowerCase().charCodeAt(0) - 97)),
  );
