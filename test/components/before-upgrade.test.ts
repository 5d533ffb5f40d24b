import { expect, fixture, html } from '@open-wc/testing';
import { clickOn, nextDrawing, press, type } from './user-input.ts';

/** `define.ts` is not imported here until a test does so: what is seen is a page whose script has not come. */
describe('before-upgrade.css', () => {
  let page: HTMLElement;
  let clicks: number;

  before(async () => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href: '/components/before-upgrade.css' });
    const loaded = new Promise((resolve) => link.addEventListener('load', resolve));
    document.head.append(link);
    await loaded;
  });

  const arrange = async (attributes: string, limit = '30s'): Promise<void> => {
    page = await fixture<HTMLElement>(html`<div><button id="before">before</button></div>`);
    page.style.setProperty('--lock-upgrade-limit', limit);
    page.insertAdjacentHTML(
      'beforeend',
      `<lock-guard ${attributes}><form><input id="field"><button type="button" id="go">Go</button></form></lock-guard>`,
    );
    clicks = 0;
    page.querySelector('#go')?.addEventListener('click', () => (clicks += 1));
    await nextDrawing();
  };
  const field = (): HTMLInputElement => page.querySelector('#field') as HTMLInputElement;
  /** Whether a person gets through by mouse, and by keyboard. */
  const operable = async (): Promise<readonly boolean[]> => {
    await clickOn(page.querySelector('#go') ?? page);
    field().value = '';
    page.querySelector<HTMLElement>('#before')?.focus();
    await press('Tab');
    await type('x');
    return [clicks > 0, field().value === 'x'];
  };

  it('keeps a form from being operated until the script is there', async () => {
    await arrange('entity-type="Order" entity-uid="1"');
    expect(await operable()).to.deep.equal([false, false]);
    expect(page.querySelector('lock-guard')?.getBoundingClientRect().height).to.be.above(10);
  });

  it('lets go after a while where the script does not come, also for people who want no motion', async () => {
    const reset = document.createElement('style');
    reset.textContent = '* { animation-duration: 0.01ms !important; }';
    document.head.append(reset);
    await arrange('entity-type="Order" entity-uid="1"');
    expect(await operable(), 'the page’s own rule').to.deep.equal([false, false]);
    await arrange('entity-type="Order" entity-uid="1"', '300ms');
    const [animation] = page.querySelector('lock-guard')?.getAnimations() ?? [];
    expect(animation?.effect?.getTiming().duration).to.equal(300);
    await animation?.finished;
    expect(await operable()).to.deep.equal([true, true]);
    reset.remove();
  });

  it('hides nothing, and lasts as long as a claim may unless said otherwise', async () => {
    await arrange('entity-type="Order" entity-uid="1"', '');
    const guard = page.querySelector('lock-guard') as HTMLElement;
    expect(guard.getAnimations()[0]?.effect?.getTiming().duration).to.equal(3_000);
    expect(field().checkVisibility({ opacityProperty: true, visibilityProperty: true })).to.be.true;
  });

  for (const attributes of [
    'entity-uid=""',
    'entity-uid="1" claim="edit"',
    'entity-uid="1" claim="manual"',
    '',
  ]) {
    it(`leaves a form alone that will be open: ${attributes || 'no record'}`, async () => {
      await arrange(`entity-type="Order" ${attributes}`);
      expect(await operable()).to.deep.equal([true, true]);
    });
  }

  // The last one: from here on the element is defined.
  it('gives way to the script, which goes on blocking until the answer', async () => {
    await arrange('entity-type="Order" entity-uid="1"');
    const { ContextProvider } = await import('@lit/context');
    const { FakeLockClient, MINE } = await import('./fake-lock-client.ts');
    const { clientContext } = await import('../../components/client-context.ts');
    const client = new FakeLockClient();
    new ContextProvider(page, { context: clientContext, initialValue: client.asClient });
    await import('../../components/define.ts');
    const guard = page.querySelector('lock-guard') as HTMLElementTagNameMap['lock-guard'];
    await guard.updateComplete;
    expect(guard.getAnimations()).to.have.length(0);
    expect(await operable()).to.deep.equal([false, false]);
    client.lease.become(MINE);
    await nextDrawing();
    expect(await operable()).to.deep.equal([true, true]);
  });
});
