import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whereSlower } from '../../bench/where-slower.ts';

describe('what a report says of where ours is behind', () => {
  it('names each peer that is better in something, with the ratio of its table', () => {
    const text = whereSlower([
      { against: 'ws', measure: 'speed', ratio: 0.914, better: 'above' },
      { against: 'ws', measure: 'CPU', ratio: 1.33, better: 'above' },
      { against: 'Lit', measure: 'mount', ratio: 1.11, better: 'below' },
      { against: 'ws', measure: 'memory', ratio: 0.85, better: 'above' },
    ]);
    assert.equal(
      text,
      '**Ours is behind (slower, or takes more) in 3 of 4 comparisons:**\n\n- ws: speed 0.91, memory 0.85\n- Lit: mount 1.11',
    );
  });

  it('goes by what the table shows: 0.996 is shown as 1.00, and nobody is behind', () => {
    assert.equal(
      whereSlower([
        { against: 'ws', measure: 'speed', ratio: 0.996, better: 'above' },
        { against: 'ws', measure: 'CPU', ratio: 1.004, better: 'below' },
      ]),
      'In nothing measured here is ours behind.',
    );
  });
});
