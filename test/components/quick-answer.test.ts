import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, MINE } from './fake-lock-client.ts';
import { nextDrawing } from './user-input.ts';

const ANSWER_MS = 250;

/** Everything that somebody could see of a form. */
function rendered(guard: LockGuard): string {
  const banner = guard.shadowRoot?.querySelector('lock-banner');
  const seen = [guard, ...guard.querySelectorAll('*')].map((element) => {
    const { opacity, filter, color, backgroundColor, cursor, visibility } = getComputedStyle(element);
    const { width, height, top, left } = element.getBoundingClientRect();
    const where = [top, left].map((at) => Math.round(at));
    return [
      element.localName,
      opacity,
      filter,
      color,
      backgroundColor,
      cursor,
      visibility,
      width,
      height,
      where,
    ];
  });
  const said = banner?.shadowRoot?.querySelector('[part=text]')?.textContent.trim();
  const room = banner?.matches(':state(quiet)') === false;
  return JSON.stringify([seen, said ?? '', room]);
}

describe('a claim that is answered at once', () => {
  for (const blocking of ['inert', 'readonly']) {
    it(`shows and says nothing until then, and nothing moves: ${blocking}`, async () => {
      const client = new FakeLockClient();
      // Due before the banner's own patience, which begins later.
      const answered = new Promise<void>((resolve) => {
        setTimeout(() => {
          client.lease.become(MINE);
          resolve();
        }, ANSWER_MS);
      });
      const guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard lang="en" entity-type="Order" entity-uid="1" blocking=${blocking}>
          <form>
            <label>Title <input value="A title" /></label><button>Approve</button>
          </form>
        </lock-guard>`,
      );
      const frames = new Set<string>();
      const spoken: string[] = [];
      const text = guard.shadowRoot?.querySelector('lock-banner')?.shadowRoot?.querySelector('[part=text]');
      const observer = new MutationObserver(() => spoken.push(text?.textContent.trim() ?? ''));
      if (text) observer.observe(text, { childList: true, characterData: true, subtree: true });
      let isOver = false;
      const record = (): void => {
        frames.add(rendered(guard));
        if (!isOver) requestAnimationFrame(record);
      };
      record();
      expect(guard.blocked).to.be.true;
      await answered;
      await nextDrawing();
      await nextDrawing();
      isOver = true;
      observer.disconnect();
      expect(guard.blocked).to.be.false;
      expect([...frames]).to.have.length(1);
      expect(spoken.filter((words) => words !== '')).to.deep.equal([]);
    });
  }

  it('would be seen to show something, where somebody else has it', async () => {
    const client = new FakeLockClient();
    const guard = await fixtureWith<LockGuard>(
      client,
      html`<lock-guard lang="en" entity-type="Order" entity-uid="1"><input /></lock-guard>`,
    );
    const before = rendered(guard);
    client.lease.become(heldBy('Anna'));
    await nextDrawing();
    expect(rendered(guard)).not.to.equal(before);
  });
});
