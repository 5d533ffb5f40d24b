import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { Blocking, LockGuard } from '../../components/lock-guard.ts';
import { FakeLockClient, fixtureWith, heldBy, MINE } from './fake-lock-client.ts';
import { clickOn, nextDrawing, press, type } from './user-input.ts';

describe('a guard inside a guard (R7)', () => {
  let client: FakeLockClient;
  let page: HTMLElement;
  let clicks: string[];

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as querySelector
  const get = <T extends HTMLElement = HTMLInputElement>(id: string): T => {
    const element = page.querySelector<T>(`#${id}`);
    if (element === null) throw new Error(`There is no #${id}.`);
    return element;
  };

  const arrange = async (outer: Blocking, inner: Blocking, uids = ['1', '9']): Promise<void> => {
    client = new FakeLockClient();
    page = await fixtureWith<HTMLElement>(
      client,
      html`<div>
        <lock-guard id="outer" entity-type="Order" entity-uid=${uids[0]} blocking=${outer}>
          <input id="order" />
          <lock-guard id="inner" entity-type="Line" entity-uid=${uids[1]} blocking=${inner}>
            <input id="line" />
            <button id="ask" slot="banner" type="button">Ask Anna</button>
          </lock-guard>
        </lock-guard>
      </div>`,
    );
    clicks = [];
    page.addEventListener('click', ({ target }) => clicks.push((target as Element).id));
  };
  const become = async (order: typeof MINE, line: typeof MINE): Promise<void> => {
    client.leases.get('Order/1')?.become(order);
    client.leases.get('Line/9')?.become(line);
    await nextDrawing();
  };
  /** What a person can type into. */
  const editable = async (): Promise<readonly string[]> => {
    const fields = [get('order'), get('line')];
    for (const field of fields) {
      field.value = '';
      await clickOn(field);
      await type('x');
    }
    return fields.filter(({ value }) => value !== '').map(({ id }) => id);
  };
  const HELD = heldBy('Anna');

  for (const outer of ['inert', 'readonly'] as const) {
    for (const inner of ['inert', 'readonly'] as const) {
      it(`keeps the one shut when the other opens: outer ${outer}, inner ${inner}`, async () => {
        await arrange(outer, inner);
        await become(HELD, HELD);
        expect(await editable(), 'both shut').to.deep.equal([]);
        await become(HELD, MINE);
        expect(await editable(), 'inner open').to.deep.equal([]);
        await become(MINE, MINE);
        expect(await editable(), 'both open').to.deep.equal(['order', 'line']);
        await become(HELD, MINE);
        expect(await editable(), 'outer shut again').to.deep.equal([]);
        await become(MINE, HELD);
        expect(await editable(), 'outer open').to.deep.equal(['order']);
        await become(HELD, HELD);
        await become(MINE, MINE);
        expect(await editable(), 'both open again').to.deep.equal(['order', 'line']);
      });
    }

    it(`lets the banner of the inner one be used while only that is shut: inner ${outer}`, async () => {
      await arrange('inert', outer);
      await become(MINE, HELD);
      await clickOn(get('ask'));
      expect(clicks).to.deep.equal(['ask']);
      get('ask').focus();
      await press('Enter');
      expect(clicks).to.deep.equal(['ask', 'ask']);
    });

    it(`stops what is put into the inner one’s banner while the outer one is shut: outer ${outer}`, async () => {
      await arrange(outer, 'inert');
      await become(HELD, HELD);
      await clickOn(get('ask'));
      get('ask').click();
      expect(clicks).not.to.include('ask');
    });
  }

  it('gives the focus back when the last of them opens, whichever that is (R4)', async () => {
    for (const last of ['outer', 'inner'] as const) {
      await arrange('inert', 'inert', ['', '']);
      get('line').focus();
      get('outer').setAttribute('entity-uid', '1');
      get('inner').setAttribute('entity-uid', '9');
      await Promise.all(['outer', 'inner'].map((id) => get<LockGuard>(id).updateComplete));
      await become(HELD, HELD);
      expect(document.activeElement?.localName, last).to.equal('body');
      await (last === 'outer' ? become(HELD, MINE) : become(MINE, HELD));
      expect(document.activeElement?.localName, last).to.equal('body');
      await become(MINE, MINE);
      expect(document.activeElement?.id, last).to.equal('line');
    }
  });
});
