import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HubInput } from '../../../../core/index.ts';

const SEPARATOR = 0x1e;
const bytes = (...values: readonly number[]) => Uint8Array.from(values);

describe('HubInput', () => {
  it('is one stream, whatever pieces it came in', () => {
    const input = new HubInput();
    input.push(bytes(1, 2));
    assert.equal(input.takeUntil(SEPARATOR), null);
    input.push(bytes());
    input.push(bytes(3, SEPARATOR, 4));
    input.push(bytes(5, SEPARATOR, SEPARATOR));
    assert.deepEqual([...(input.takeUntil(SEPARATOR) ?? [])], [1, 2, 3]);
    assert.deepEqual([...(input.takeUntil(SEPARATOR) ?? [])], [4, 5]);
    assert.deepEqual([...(input.takeUntil(SEPARATOR) ?? [])], []);
    assert.equal(input.takeUntil(SEPARATOR), null);
    assert.equal(input.length, 0);
  });

  it('knows nothing behind its end, also where it has room there', () => {
    const input = new HubInput();
    input.push(bytes(1, 2));
    input.push(bytes(3));
    assert.deepEqual([input.at(0), input.at(2), input.at(3)], [1, 3, undefined]);
    assert.equal(input.take(1, 3), null);
    assert.deepEqual([...(input.take(1, 2) ?? [])], [2, 3]);
    assert.equal(input.at(0), undefined);
  });

  it('finds no separator again that is only left in its memory', () => {
    const input = new HubInput();
    input.push(bytes(1));
    input.push(bytes(2, SEPARATOR));
    input.clear();
    assert.equal(input.takeUntil(SEPARATOR), null);
    input.push(bytes(3));
    assert.equal(input.takeUntil(SEPARATOR), null);
    assert.equal(input.length, 1);
  });

  it('leaves what was taken alone when more comes', () => {
    const input = new HubInput();
    input.push(bytes(1));
    input.push(bytes(2, SEPARATOR, 3));
    const taken = input.takeUntil(SEPARATOR);
    for (let count = 0; count < 50; count += 1) input.push(bytes(9, 9, 9));
    assert.deepEqual([...(taken ?? [])], [1, 2]);
  });

  it('searches each byte once, however small the pieces of a message are', () => {
    const input = new HubInput();
    const piece = bytes(7);
    const startedMs = performance.now();
    for (let count = 0; count < 400_000; count += 1) {
      input.push(piece);
      assert.equal(input.takeUntil(SEPARATOR), null);
    }
    // Searched from its start every time, this takes minutes.
    const tookMs = performance.now() - startedMs;
    assert.ok(tookMs < 5_000, `400,000 pieces took ${Math.round(tookMs)} ms`);
  });

  it('behaves as a plain list of bytes does, for any sequence of steps', () => {
    const byte = fc.oneof(fc.constant(SEPARATOR), fc.integer({ min: 0, max: 255 }));
    const step = fc.oneof(
      fc.record({ push: fc.array(byte, { maxLength: 40 }) }),
      fc.constant({ until: SEPARATOR }),
      fc.record({ skip: fc.integer({ min: 0, max: 5 }), count: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ at: fc.integer({ min: 0, max: 60 }) }),
      fc.constantFrom({ clear: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const input = new HubInput();
        let model: number[] = [];
        const taken: { readonly was: readonly number[]; readonly is: Uint8Array }[] = [];
        const same = (is: Uint8Array | null, was: readonly number[] | null) => {
          assert.deepEqual(is === null ? null : [...is], was);
          if (is !== null && was !== null) taken.push({ is, was });
        };
        for (const each of steps) {
          if ('push' in each) {
            input.push(Uint8Array.from(each.push));
            model.push(...each.push);
          } else if ('until' in each) {
            const found = model.indexOf(each.until);
            same(input.takeUntil(each.until), found < 0 ? null : model.slice(0, found));
            model = model.slice(found + 1);
          } else if ('count' in each) {
            const { skip, count } = each;
            const isThere = model.length >= skip + count;
            same(input.take(skip, count), isThere ? model.slice(skip, skip + count) : null);
            if (isThere) model = model.slice(skip + count);
          } else if ('at' in each) {
            assert.equal(input.at(each.at), model[each.at]);
          } else {
            input.clear();
            model = [];
          }
          assert.equal(input.length, model.length);
        }
        for (const { is, was } of taken) assert.deepEqual([...is], was, 'what was taken stays as it was');
      }),
      { numRuns: 2_000 },
    );
  });
});
