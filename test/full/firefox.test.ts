import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { findFirefox, launchFirefox, type Firefox, type FirefoxTab } from '../support/firefox.ts';
import { person, record, startPageStage, type PageStage } from '../support/page-stage.ts';
import { until } from '../support/until.ts';

const GRACE_MS = 5_000;
/** What users would forgive, from the click to the other form. */
const TAKE_OVER_CEILING_MS = 3_000;
const WAIT_MS = 15_000;
const FIELD = `document.querySelector('input')`;
const BANNER = `document.querySelector('lock-guard').shadowRoot.querySelector('lock-banner').shadowRoot`;

/** The built script tag in Firefox. Chromium goes through all of it in test/e2e; this is the way through the middle, without closing a tab. */
describe('two people in Firefox', { skip: findFirefox().missing }, () => {
  let stage: PageStage;
  let firefox: Firefox;
  const tabs = new Set<FirefoxTab>();
  before(async () => {
    stage = await startPageStage();
    firefox = await launchFirefox();
  });
  after(async () => {
    await firefox.close();
    await stage.stop();
  });
  afterEach(async () => {
    stage.mend();
    for (const tab of tabs) await close(tab);
  });

  const open = async (as: 'anna' | 'ben', uid: string) => {
    const tab = await firefox.open(stage.page(as, uid));
    tabs.add(tab);
    return tab;
  };
  const close = async (tab: FirefoxTab) => {
    tabs.delete(tab);
    await tab.close();
  };
  const inState = (tab: FirefoxTab, state: string, withinMs = WAIT_MS) => {
    const open = state === 'mine' ? ':not(:state(blocked))' : '';
    const found = `document.querySelector('lock-guard:state(${state})${open}') !== null`;
    return until(state, () => tab.evaluate<boolean>(found), withinMs);
  };
  const connected = (tab: FirefoxTab) =>
    until('connected', () => tab.evaluate<boolean>('Rowlock.defaultClient().connected'), WAIT_MS);
  const bannerOf = (tab: FirefoxTab) =>
    tab.evaluate<string>(`${BANNER}.querySelector('[part=banner]').innerText`);
  const textOf = (tab: FirefoxTab) => tab.evaluate<string>(`${FIELD}.value`);
  const holderOf = async (uid: string) => {
    const { locks } = await stage.rowlock.service.read(person('ben'), record(uid));
    return locks[0]?.holderOid;
  };
  const released = (uid: string) =>
    until('the release', () =>
      stage.calls.find(({ line }) => line.startsWith('DELETE') && line.includes(`/${uid}`)),
    );

  it('the first edits; the second is kept out and reads who it is; the row in the grid says so too (F1)', async (test) => {
    test.diagnostic(firefox.version);
    const anna = await open('anna', 'held');
    await inState(anna, 'mine');
    const ben = await open('ben', 'held');
    await inState(ben, 'held');
    assert.match(await bannerOf(ben), /Anna is editing/);
    await ben.click(FIELD);
    await ben.type('x');
    assert.equal(await textOf(ben), '', 'neither mouse nor keys get into the form');
    assert.match(
      await ben.evaluate(`document.querySelector('locked-by-cell').shadowRoot.textContent`),
      /Anna/,
    );
    await anna.click(FIELD);
    await anna.type('x');
    assert.equal(await textOf(anna), 'x', 'and in hers they do');
  });

  it('taken over: the first has lost it within 3 s, keeps the text and cannot change it; the second edits', async () => {
    const anna = await open('anna', 'taken');
    await inState(anna, 'mine');
    await connected(anna);
    await anna.click(FIELD);
    await anna.type('Call the driver');
    const ben = await open('ben', 'taken');
    await inState(ben, 'held');
    await ben.click(`${BANNER}.querySelector('[part=take-over]')`);
    await ben.click(`${BANNER}.querySelector('[part=confirm]')`);
    await inState(anna, 'lost', TAKE_OVER_CEILING_MS);
    await inState(ben, 'mine');
    assert.match(await bannerOf(anna), /Ben took over/);
    await anna.click(FIELD);
    await anna.type('!');
    assert.equal(await textOf(anna), 'Call the driver');
    await ben.click(FIELD);
    await ben.type('Done');
    assert.equal(await textOf(ben), 'Done');
  });

  /** Leaves as by a click, until the lock is free, and goes back until it is held again. */
  const leaveAndComeBack = async (tab: FirefoxTab, uid: string) => {
    await tab.evaluate(`void (location.href = '/elsewhere')`);
    await released(uid);
    stage.pass(GRACE_MS + 1);
    assert.equal(await holderOf(uid), undefined);
    await until('elsewhere', () => tab.evaluate<boolean>(`location.pathname === '/elsewhere'`), WAIT_MS);
    await tab.evaluate('void history.back()');
    await until('claimed again', async () => (await holderOf(uid)) === 'anna', WAIT_MS);
    await inState(tab, 'mine');
  };

  // Firefox keeps no page that has a WebSocket open, or being opened, when it is left: what is gone back to is loaded anew.
  it('left for another page it lets go, and gone back to, it claims again (F9)', async () => {
    const anna = await open('anna', 'back');
    await inState(anna, 'mine');
    await connected(anna);
    await leaveAndComeBack(anna, 'back');
    await connected(anna);
  });
});
