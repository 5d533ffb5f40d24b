import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { es } from '../../../components/locales/es.ts';
import { fr } from '../../../components/locales/fr.ts';
import {
  fillMessage,
  lockMessage,
  registerMessages,
  type LockMessageKey,
  type LockMessages,
} from '../../../components/lock-messages.ts';

/** Every key: the type of a locale asks for all of them, and takes no other. */
const KEYS = Object.keys(fr) as readonly LockMessageKey[];
/** Each language in full; a text that is missing is `undefined`. */
const LOCALES: Readonly<Record<string, Partial<LockMessages>>> = { de: builtIn('de'), es, fr };

/** The texts of a language of the bundle, without those that come from English. */
function builtIn(language: string): Partial<LockMessages> {
  const own = KEYS.filter((key) => lockMessage(language, key) !== lockMessage('en', key));
  return Object.fromEntries(own.map((key) => [key, lockMessage(language, key)]));
}

const placesOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place))].sort();

describe('the texts of the elements', () => {
  it('are checked in every language there is', () => {
    const folder = new URL('../../../components/locales/', import.meta.url);
    const files = readdirSync(folder).map((file) => file.replace('.ts', ''));
    assert.deepEqual(Object.keys(LOCALES).sort(), [...files, 'de'].sort());
  });

  it('have English for every key', () => {
    for (const key of KEYS) assert.notEqual(lockMessage('en', key), key);
    assert.equal(lockMessage('en', 'language'), 'en');
    assert.equal(lockMessage('en', 'claimNow'), 'Edit', 'the list is as long as its keys');
  });

  for (const [language, messages] of Object.entries(LOCALES)) {
    it(`are complete in ${language}: every key, and every place of its English text`, () => {
      assert.deepEqual(Object.keys(messages).sort(), [...KEYS].sort());
      assert.equal(messages.language, language);
      for (const key of KEYS) {
        assert.deepEqual(placesOf(messages[key] ?? ''), placesOf(lockMessage('en', key)), key);
      }
    });

    it(`are whole sentences in ${language}: nothing begins or ends in the middle of one`, () => {
      const fragments = KEYS.filter((key) => key !== 'language').filter((key) => {
        const text = messages[key] ?? '';
        // A sentence, a button's word, or a label before what the server says.
        return text !== text.trim() || !/^[\p{Lu}¿{]/u.test(text) || !/[.…?\p{Ll}}]$/u.test(text);
      });
      assert.deepEqual(fragments, []);
    });
  }

  it('come from the broader language, then from English (R31)', () => {
    registerMessages('fr', fr);
    registerMessages('fr-CA', { takeOver: 'Prendre le relais' });
    assert.equal(lockMessage('FR-ca', 'takeOver'), 'Prendre le relais');
    assert.equal(lockMessage('fr-CA', 'cancel'), 'Annuler');
    assert.equal(lockMessage('fr-CA-x-private', 'takeOver'), 'Prendre le relais');
    for (const strange of ['tlh', '', 'not_a-language!', '-', 'x'.repeat(100)]) {
      assert.equal(lockMessage(strange, 'cancel'), 'Cancel', strange);
    }
  });

  it('are filled in any order, as often as a place is named, and with what is missing told', () => {
    assert.deepEqual(fillMessage('{name}? {name}, {end}.', { name: 1 }), [
      '',
      1,
      '? ',
      1,
      ', ',
      undefined,
      '.',
    ]);
  });
});

describe('docs/languages.md', () => {
  it('lists every text as it is', () => {
    const page = readFileSync(new URL('../../../docs/languages.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)`\s+\| (.*?)\s*\|$/gm)].map(([, key, text]) => [key, text]);
    assert.deepEqual(
      rows,
      KEYS.map((key) => [key, lockMessage('en', key)]),
    );
    assert.match(page, new RegExp(`table of ${String(KEYS.length)} texts`));
  });
});
