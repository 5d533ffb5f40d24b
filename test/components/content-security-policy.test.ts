import { expect, oneEvent, waitUntil } from '@open-wc/testing';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";

/** A page under a strict policy, with one of each element. */
const PAGE = `<!doctype html><html lang="en"><head>
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <script type="module" src="/test/components/record-violations.ts"></script>
  <script type="module" src="/components/define.ts"></script></head><body>
  <lock-guard entity-type="Order" entity-uid="1"><input></lock-guard>
  <table><tr><td>1</td><td><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></td></tr></table>
  <lock-provider api="/api"><lock-banner entity-type="Order" entity-uid="2"></lock-banner></lock-provider>
</body></html>`;

describe('a strict content security policy', () => {
  it('is never violated', async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = PAGE;
    const loaded = oneEvent(frame, 'load');
    document.body.append(frame);
    await loaded;
    const page = frame.contentDocument as Document;
    const { violations } = frame.contentWindow as unknown as { violations: readonly string[] };
    const guard = page.querySelector('lock-guard');
    await waitUntil(() =>
      guard?.shadowRoot?.querySelector('lock-banner')?.shadowRoot?.querySelector('[part=text]'),
    );
    // Without a backend the guard ends as open, and the banner has something to say: all of it is drawn.
    await waitUntil(() => guard?.state === 'unknown' || guard?.state === 'error', 'an outcome', {
      timeout: 8_000,
    });
    await waitUntil(() =>
      guard?.shadowRoot
        ?.querySelector('lock-banner')
        ?.shadowRoot?.querySelector('svg path')
        ?.getAttribute('d'),
    );
    const box = guard?.shadowRoot?.querySelector('lock-banner')?.shadowRoot?.querySelector('[part=banner]');
    expect(box && getComputedStyle(box).display, 'styles are applied').to.equal('flex');
    expect(violations).to.deep.equal([]);
    frame.remove();
  });
});
