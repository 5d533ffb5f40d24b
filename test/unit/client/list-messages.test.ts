import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMessage, registerListMessages, type ListMessageKey } from '../../../components/list-messages.ts';

const KEYS: readonly ListMessageKey[] = [
  'myLocks',
  'noLocks',
  'ends',
  'release',
  'releaseOne',
  'releaseAll',
  'askOne',
  'askAll',
  'released',
  'releasedAll',
  'notReleased',
  'noList',
  'tryAgain',
  'leftOutOne',
  'leftOut',
  'others',
  'unchecked',
  'notWritten',
];
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

for (const language of ['de', 'fr', 'es']) {
  test(`${language} has every text of the list, each with the places of the English one`, () => {
    for (const key of KEYS) {
      const [text, english] = [listMessage(language, key), listMessage('en', key)];
      assert.deepEqual(places(text), places(english), key);
      assert.notEqual(text, english, key);
      assert.doesNotMatch(text, /undefined/);
    }
  });
}

test('a text of the application’s own replaces one, in a region of the language too', () => {
  registerListMessages('de-CH', { noLocks: 'Nichts offen.' });
  assert.equal(listMessage('de-CH', 'noLocks'), 'Nichts offen.');
  assert.equal(listMessage('de-CH', 'tryAgain'), 'Erneut versuchen');
});
