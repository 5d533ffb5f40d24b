import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeHref, readPlace } from '../../../demo/catalogue/catalogue-address.ts';
import type { Story } from '../../../demo/catalogue/story.ts';

const bare = { group: 'Guard', about: '', source: () => '' } as const;
const render = () => {
  throw new Error('An address is read without drawing anything.');
};
const first: Story = { ...bare, id: 'first', title: 'First', render };
const second: Story = {
  ...bare,
  id: 'second',
  title: 'Second',
  render,
  controls: [
    { kind: 'choice', name: 'blocking', label: '', options: ['inert', 'readonly'], initial: 'inert' },
    { kind: 'flag', name: 'idle', label: '', initial: false },
    { kind: 'flag', name: 'grace', label: '', initial: true },
    { kind: 'number', name: 'timeout', label: '', initial: 3000, min: 500, max: 9000, step: 500 },
    { kind: 'text', name: 'holder', label: '', initial: 'Ben' },
  ],
};
const stories = [first, second];
const asAtFirst = { blocking: 'inert', idle: false, grace: true, timeout: 3000, holder: 'Ben' };

describe('the address of the catalogue', () => {
  it('names a story and what its controls say', () => {
    const search = '?story=second&blocking=readonly&idle=true&grace=false&timeout=4500&holder=Zo%C3%AB';
    const place = readPlace(search, stories);
    assert.equal(place.story, second);
    assert.deepEqual(place.values, {
      blocking: 'readonly',
      idle: true,
      grace: false,
      timeout: 4500,
      holder: 'Zoë',
    });
    assert.equal(placeHref(place, null), search);
  });

  it('names nothing that is as at first, and keeps the backend', () => {
    assert.equal(placeHref({ story: second, values: asAtFirst }, null), '?story=second');
    assert.equal(placeHref({ story: second, values: {} }, 'mock'), '?story=second&backend=mock');
  });

  it('is the first story where the address names none that there is', () => {
    for (const search of ['', '?story=', '?story=gone', '?story=__proto__']) {
      assert.equal(readPlace(search, stories).story, first, search);
    }
    assert.throws(() => readPlace('', []), RangeError);
  });

  it('takes no value that the control could not have', () => {
    for (const query of [
      'blocking=none',
      'idle=perhaps',
      'grace=',
      'timeout=400',
      'timeout=9001',
      'timeout=',
      'timeout=NaN',
      'timeout=x',
    ]) {
      assert.deepEqual(readPlace(`?story=second&${query}`, stories).values, asAtFirst, query);
    }
    const { values } = readPlace(`?story=second&holder=${'x'.repeat(500)}`, stories);
    assert.equal(String(values['holder']).length, 200);
  });
});
