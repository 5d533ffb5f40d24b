import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { highlightHtml } from '../../../demo/catalogue/highlight-html.ts';

/** The text that is shown, and what of it has a colour. */
function shown(source: string) {
  const pieces = highlightHtml(source);
  const text = (piece: (typeof pieces)[number]) =>
    typeof piece === 'string' ? piece : String(piece.values[0]);
  return {
    text: pieces.map(text).join(''),
    coloured: pieces.filter((piece) => typeof piece !== 'string').map(text),
  };
}

describe('HTML in colours', () => {
  it('is the same text, whatever it is', () => {
    for (const source of [
      '',
      'a < b && c > d',
      '<lock-guard entity-type="Order" wait=off>\n  <form>…</form>\n</lock-guard>',
      "<p title='a > b'>1 < 2</p><!-- <b> --><input disabled />",
      '<script>if (a < b) x = "</b>";</script>',
      '<unfinished attribute="',
    ]) {
      assert.equal(shown(source).text, source);
    }
  });

  it('tells tags, values and comments apart', () => {
    const { coloured } = shown('<a href="x>y" hidden>text</a><!-- <i> -->');
    assert.deepEqual(coloured, ['<a', '"x>y"', '>', '</a', '>', '<!-- <i> -->']);
  });
});
