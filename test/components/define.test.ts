import { expect, fixture, html } from '@open-wc/testing';
import * as rowlock from '../../components/define.ts';
import { FakeLockClient } from './fake-lock-client.ts';

/** Another copy of the script, as a page gets that loads it twice. */
const loadAgain = (): Promise<unknown> => import(`../../components/define.ts?copy=${Math.random()}`);
const KEY = Symbol.for('rowlock.loaded');
const page = globalThis as unknown as Record<symbol, { version: string; hasWarned?: boolean }>;

describe('define', () => {
  const warnings: unknown[] = [];
  const { warn } = console;
  beforeEach(() => {
    warnings.length = 0;
    console.warn = (...values: unknown[]) => warnings.push(values[0]);
  });
  afterEach(() => {
    console.warn = warn;
  });

  it('registers every element, and exports what an application needs', () => {
    for (const tag of ['lock-provider', 'lock-guard', 'lock-banner', 'locked-by-cell']) {
      expect(customElements.get(tag), tag).to.exist;
    }
    expect(customElements.get('lock-guard')).to.equal(rowlock.LockGuard);
    expect(rowlock.configure).to.be.a('function');
    expect(rowlock.registerMessages).to.be.a('function');
  });

  it('is the version of the package', async () => {
    const { version } = (await (await fetch('/package.json')).json()) as { version: string };
    expect(rowlock.LOCK_VERSION).to.equal(version);
  });

  it('may be loaded twice', async () => {
    await loadAgain();
    expect(warnings).to.deep.equal([]);
    expect(customElements.get('lock-guard')).to.equal(rowlock.LockGuard);
  });

  it('warns once where another version is there already', async () => {
    const before = page[KEY];
    page[KEY] = { version: '0.0.1' };
    await loadAgain();
    await loadAgain();
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('0.0.1');
    if (before !== undefined) page[KEY] = before;
  });

  it('lets guards, banners and cells find a provider that is upgraded after them', async () => {
    class LateProvider extends rowlock.LockProvider {
      readonly fake = new FakeLockClient();

      override get client(): rowlock.LockClient {
        return this.fake.asClient;
      }
    }
    const scope = await fixture<HTMLElement>(
      html`<div>
        <late-provider>
          <lock-guard entity-type="Order" entity-uid="late" claim="manual"></lock-guard>
          <lock-banner entity-type="Order" entity-uid="watched"></lock-banner>
          <locked-by-cell entity-type="Order" entity-uid="cell"></locked-by-cell>
        </late-provider>
      </div>`,
    );
    customElements.define('late-provider', LateProvider);
    const guard = scope.querySelector('lock-guard') as rowlock.LockGuard;
    await guard.updateComplete;
    const { fake } = scope.querySelector('late-provider') as LateProvider;
    expect(fake.lease.ref.entityUid).to.equal('late');
    expect(fake.open).to.equal(1);
    await scope.querySelector('lock-banner')?.updateComplete;
    expect(fake.watched).to.have.members(['Order/watched', 'Order/cell']);
  });

  describe('<lock-provider>', () => {
    it('gives each of several users their own client, and keeps it when its settings change', async () => {
      const scope = await fixture<HTMLElement>(
        html`<div><lock-provider api="/one"></lock-provider><lock-provider api="/two"></lock-provider></div>`,
      );
      const [one, two] = [...scope.querySelectorAll('lock-provider')];
      const { client } = one as rowlock.LockProvider;
      expect(client).not.to.equal(two?.client);
      expect(client).not.to.equal(rowlock.defaultClient());
      const configured: rowlock.RowlockConfig[] = [];
      client.configure = (config) => configured.push(config);
      if (one !== undefined)
        Object.assign(one, { config: { api: '/ignored', headers: { 'x-user': 'anna' } }, hub: '/hub' });
      await one?.updateComplete;
      expect(configured).to.deep.equal([{ api: '/one', hub: '/hub', headers: { 'x-user': 'anna' } }]);
      one?.requestUpdate();
      await one?.updateComplete;
      expect(configured).to.have.length(1);
      expect(one?.client).to.equal(client);
    });
  });
});
