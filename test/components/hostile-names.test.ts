import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockBanner } from '../../components/lock-banner.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import type { LockedByCell } from '../../components/locked-by-cell.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { FakeLockClient, fixtureWith, heldBy, MINE } from './fake-lock-client.ts';
import { nextDrawing } from './user-input.ts';

/** Set by whatever runs although it is nothing but a name. */
const harm = globalThis as { harmed?: boolean };

/** All elements below a root, those in shadow trees included. */
function allElements(root: ParentNode): readonly Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    element,
    ...(element.shadowRoot === null ? [] : allElements(element.shadowRoot)),
  ]);
}

const shapeOf = (root: ParentNode): string =>
  allElements(root)
    .map(({ localName, attributes }) => `${localName}[${[...attributes].map(({ name }) => name).join()}]`)
    .join(' ');

describe('names as another service may have stored them, in a page', () => {
  let client: FakeLockClient;
  let page: HTMLElement;
  let guard: LockGuard;
  let banner: LockBanner;
  let cell: LockedByCell;
  beforeEach(async () => {
    harm.harmed = false;
    client = new FakeLockClient();
    page = await fixtureWith<HTMLElement>(
      client,
      html`<div lang="en" style="inline-size: 30rem">
        <lock-guard entity-type="Order" entity-uid="1"><input aria-label="Title" /></lock-guard>
        <table style="table-layout: fixed; inline-size: 100%">
          <tr>
            <td>Order 1</td>
            <td><locked-by-cell entity-type="Order" entity-uid="1"></locked-by-cell></td>
          </tr>
        </table>
      </div>`,
    );
    guard = page.querySelector('lock-guard') as LockGuard;
    banner = guard.shadowRoot?.querySelector('lock-banner') as LockBanner;
    cell = page.querySelector('locked-by-cell') as LockedByCell;
  });

  const show = async (name: string): Promise<void> => {
    client.lease.become(heldBy(name, { canTakeOver: true }));
    client.tell('1', name);
    await banner.updateComplete;
  };
  const textOf = (selector: string): string =>
    banner.shadowRoot?.querySelector(selector)?.textContent.trim() ?? '';

  for (const { what, name } of HOSTILE_NAMES) {
    it(`${what}: text in the banner, the dialog, the cell and events, and nothing else`, async () => {
      client.lease.become(MINE);
      await show('Anna Smith');
      const shape = shapeOf(page);
      const names: unknown[] = [];
      page.addEventListener('lock-held', (event) => names.push(event.lock?.holderName));
      client.lease.become(MINE);
      await banner.updateComplete;
      await show(name);
      expect(textOf('[part=text] bdi')).to.equal(name.trim());
      expect(textOf('dialog bdi')).to.equal(name.trim());
      expect(cell.shadowRoot?.textContent).to.equal(name);
      expect(names).to.deep.equal([name]);
      expect(shapeOf(page)).to.equal(shape, 'a name makes no element and no attribute');
      banner.shadowRoot?.querySelector('dialog')?.showModal();
      await nextDrawing();
      banner.shadowRoot?.querySelector('dialog')?.close();
      expect(harm.harmed).to.equal(false);
    });
  }

  it('a change by somebody with such a name', async () => {
    for (const { name } of HOSTILE_NAMES) {
      const by = { oid: 'x', name, kind: 'user' } as const;
      const foreignChange = { entityType: 'Order', entityUid: '1', operation: 'Updated', at: 1, by };
      client.lease.become({ ...MINE, foreignChange });
      await banner.updateComplete;
      await nextDrawing();
      expect(textOf('[part=detail] bdi')).to.equal(name.trim());
    }
    expect(harm.harmed).to.equal(false);
  });
});
