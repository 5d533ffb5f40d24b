import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COLORS, SIZES, drawSequence, readSequence } from '../../../scripts/sequence-picture.mjs';

const docs = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');
const HEAD = 'title T\nabout A\nactor a Anna\nactor s Server\n';

describe('the picture of how one lock lives', () => {
  it('is what its source makes: node scripts/sequence-picture.mjs', () => {
    assert.equal(docs('one-lock.svg') === drawSequence(docs('one-lock.txt')), true, 'draw it again');
  });

  it('has a title, a description, and every text of its source', () => {
    const svg = docs('one-lock.svg');
    const { title, about, actors, steps } = readSequence(docs('one-lock.txt'));
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    assert.match(svg, /role="img" aria-labelledby="title about"/);
    assert.equal(svg.includes(`<title id="title">${title}</title>`), true, 'the title');
    assert.equal(svg.includes(`<desc id="about">${about}</desc>`), true, 'the description');
    assert.deepEqual(texts, [...actors, ...steps.map(({ text }) => text.replaceAll('"', '&quot;'))]);
  });

  it('names scripts that exist', () => {
    const scripts = docs('one-lock.txt').match(/[\w-]+\.lua/g) ?? [];
    assert.equal(scripts.length > 0, true, 'there are some');
    for (const script of scripts) readFileSync(new URL(`../../../lua/${script}`, import.meta.url));
  });

  it('every message fits between its columns, and every state into its box', () => {
    for (const step of readSequence(docs('one-lock.txt')).steps) {
      const room =
        'at' in step
          ? 2 * SIZES.side - 20
          : 'from' in step
            ? SIZES.gap * Math.abs(step.from - step.to) - 16
            : 3 * SIZES.gap;
      assert.equal(step.text.length * SIZES.letter <= room, true, step.text);
    }
  });

  for (const [scheme, colors] of Object.entries(COLORS)) {
    it(`is legible in ${scheme} surroundings`, () => {
      const on = (front: string, back: string) => ratio(front, back);
      for (const [front, back] of [
        [colors.text, colors.surface],
        [colors.text, colors.head],
        [colors.quiet, colors.surface],
        [colors.news, colors.surface],
        [colors.refusal, colors.surface],
        [colors.open, colors['open-surface']],
        [colors.shut, colors['shut-surface']],
      ] as const) {
        assert.equal(on(front, back) >= 4.5, true, `${front} on ${back}: ${on(front, back)}`);
      }
      assert.equal(on(colors.line, colors.surface) >= 3, true, `lines: ${on(colors.line, colors.surface)}`);
    });
  }

  it('texts cannot become markup', () => {
    const svg = drawSequence(`${HEAD}a -> s <b>"x" & y`);
    assert.match(svg, />&lt;b&gt;&quot;x&quot; &amp; y<\/text>/);
  });

  it('a line that is not in the notation is named', () => {
    for (const [line, why] of [
      ['a -> b hello', /line 5: no actor "b"/],
      ['a => s hello', /line 5: neither/],
      ['a -> s', /line 5: no text/],
      ['a -> a hello', /line 5: a message to oneself/],
      ['a sleeps well', /line 5: neither/],
    ] as const) {
      assert.throws(() => drawSequence(HEAD + line), why);
    }
    assert.throws(() => drawSequence('actor a Anna'), /"title" and "about" are missing/);
  });
});

/** WCAG 2's contrast of two colours of six hexadecimal digits. */
function ratio(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
