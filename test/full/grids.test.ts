import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { GridPage } from './grid-pages/grid-witness.ts';
import { setGridStage } from './grid-pages/grid-stage.ts';

declare const page: GridPage;

/** Every grid, and what its page's address says besides. */
const GRIDS: readonly (readonly [title: string, script: string, query?: string])[] = [
  ['a plain table', 'plain-table'],
  ['an ARIA grid in a shadow tree that recycles its rows', 'aria-grid'],
  ['@vaadin/grid', 'vaadin-grid'],
  ['Tabulator', 'tabulator'],
  ['AG Grid', 'ag-grid'],
  ['the Lit virtualizer', 'lit-virtualizer'],
  ['the Lit virtualizer with few keys', 'lit-virtualizer', 'recycling'],
];
const LOCKED = ['r2', 'r3', 'r8', 'r250', 'r503', 'r996', 'r999'];
const ROUND_TRIPS = 3;

describe('a grid with a cell that shows who is editing', () => {
  const stage = setGridStage([...new Set(GRIDS.map(([, script]) => script))]);

  /** Waits until `uid` is in view, exactly the rows of `locked` being marked. */
  const isRight = async (tab: Page, locked: readonly string[], uid: string): Promise<void> => {
    const seen = await tab
      .waitForFunction(([all, one]) => page.witness.isRight(all, one), [locked, uid] as const)
      .then(() => null)
      .catch(() => tab.evaluate(() => page.witness.rows()));
    assert.equal(seen, null, `${uid} is in view, and marked are those of ${locked.join()}`);
  };

  for (const [title, script, query] of GRIDS) {
    it(`${title}: the right row is marked and no other, in every frame (R10, R11, R12, R13)`, async () => {
      await stage.lock(LOCKED);
      const listsBefore = stage.lists;
      const tab = await stage.open(script, query);
      const faults: string[] = [];
      tab.on('pageerror', (error) => faults.push(String(error)));
      await tab.waitForFunction(() => 'page' in globalThis);
      await isRight(tab, LOCKED, 'r3');

      // Dimmed is what says nothing of the lock, and only that.
      const [locked, free] = await tab.evaluate(() =>
        ['r3', 'r4'].map((uid) => page.witness.rows().find((row) => row.uid === uid)?.opacities),
      );
      assert.deepEqual([...(locked ?? [])].sort(), [0.65, 0.65, 1, 1]);
      assert.deepEqual(free, [1, 1, 1, 1]);

      await tab.evaluate((uids) => page.witness.watch(uids), LOCKED);
      for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
        for (const [index, uid] of [
          [12, 'r12'],
          [250, 'r250'],
          [500, 'r503'],
          [999, 'r999'],
          [480, 'r480'],
          [0, 'r3'],
        ] as const) {
          await tab.evaluate((at) => page.grid.scrollTo(at), index);
          await isRight(tab, LOCKED, uid);
        }
      }
      await tab.evaluate(() => page.grid.sort('desc'));
      await tab.evaluate(() => page.grid.scrollTo(0));
      await isRight(tab, LOCKED, 'r996');
      await tab.evaluate(() => page.grid.sort('asc'));
      await tab.evaluate(() => page.grid.scrollTo(0));
      await isRight(tab, LOCKED, 'r2');
      await tab.evaluate(() => page.grid.filter(({ uid }) => /[02468]$/.test(uid)));
      await isRight(tab, LOCKED, 'r8');
      await tab.evaluate(() => page.grid.filter(() => true));
      await isRight(tab, LOCKED, 'r3');
      const { wrong, frames, seen } = await tab.evaluate(() => {
        page.witness.pause();
        return {
          wrong: [...page.witness.wrong],
          frames: page.witness.frames,
          seen: page.witness.seen.size,
        };
      });
      assert.deepEqual(wrong, []);
      assert.ok(frames > 10 && seen > 60, `looked at ${frames} frames and ${seen} records`);

      // Locks that come and go, in view and out of it.
      const next = ['r3', 'r5', 'r997'];
      await stage.lock(next);
      await isRight(tab, next, 'r5');
      await tab.evaluate(() => page.grid.scrollTo(999));
      await isRight(tab, next, 'r997');
      await tab.evaluate(() => page.grid.scrollTo(0));
      await isRight(tab, next, 'r3');
      // The row of r3 shows another record, which is free, and then one that is locked.
      await tab.evaluate(() => page.grid.replace(3, page.recordOf('r5001')));
      await isRight(tab, next, 'r5001');
      await stage.lock([...next, 'r5001']);
      await isRight(tab, [...next, 'r5001'], 'r5001');

      // A hub that is slower than 0.3 s is waited for by nobody: then the list is fetched once more when it listens.
      const lists = stage.lists - listsBefore;
      assert.ok(lists === 1 || lists === 2, `${lists} lists for the whole grid and all of this`);
      assert.deepEqual(faults, []);
      await tab.context().close();
    });
  }
});
