import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDotnet } from '../support/dotnet.ts';
import { until } from '../support/until.ts';
import { LEASE_MS, setForeignStage } from './foreign-stage.ts';

/** Back-off of the page: 16 s at most after an outage so short, with headroom. */
const RECOVERY_MS = 20_000;

describe(
  'the ASP.NET Core backend does not answer, or asks for another token',
  { skip: findDotnet().missing },
  () => {
    const stage = setForeignStage();

    it('its process dies: forms stay editable, say so, and are locked again when it is back', async () => {
      const anna = await stage.open('anna', 'REQ-1');
      await anna.inState('mine');
      await anna.note.fill('Typed before, ');
      await stage.backend.crash();
      await anna.says(/Reconnecting/);
      await anna.note.pressSequentially('during, ');
      const ben = await stage.open('ben', 'REQ-2');
      await ben.inState('unknown');
      await ben.says(/Locking is not available/);
      await ben.note.fill('Ben types');
      await anna.inState('unknown');
      await anna.says(/Locking is not available.*You can go on, but so can others/s);
      await anna.note.pressSequentially('long after');
      await stage.backend.restart();
      for (const { page } of [anna, ben]) page.setDefaultTimeout(RECOVERY_MS);
      await Promise.all([anna.inState('mine'), ben.inState('mine')]);
      assert.equal(await anna.note.inputValue(), 'Typed before, during, long after');
      const grid = await stage.open('ben', 'REQ-1', { show: 'grid' });
      await grid.cell.getByText('Anna Berger').waitFor();
      for (const page of [anna, ben, grid]) {
        assert.deepEqual(page.errors, []);
        await page.close();
      }
    });

    it('a token that ran out is asked for anew, by calls and by the hub, and nothing is lost', async () => {
      const before = stage.pages.tokensOf('anna');
      const options = { tokenSeconds: 2 };
      const anna = await stage.open('anna', 'REQ-3', options);
      const grid = await stage.open('anna', 'REQ-4', { ...options, show: 'grid' });
      await anna.inState('mine');
      const states: string[] = [];
      await anna.page.exposeFunction('tell', (state: string) => states.push(state));
      await anna.page.evaluate(
        `document.addEventListener('lock-statechange', ({ detail }) => tell(detail.state))`,
      );
      const refused: string[] = [];
      const renewed: string[] = [];
      anna.page.on('response', (response) => {
        if (response.status() === 401) refused.push(response.url());
        else if (response.request().method() === 'PUT') renewed.push(response.url());
      });
      const closed = (await grid.connected).waitForEvent('close');
      const again = grid.page.waitForEvent('websocket');
      await closed;
      await again;
      await until(
        'renewals with other tokens',
        () => refused.length >= 2 && renewed.length >= 4,
        3 * LEASE_MS,
      );
      assert.ok(stage.pages.tokensOf('anna') - before >= 4, 'each page was given more than one token');
      assert.deepEqual(states, [], 'still hers');
      const ben = await stage.open('ben', 'REQ-4');
      await grid.cell.getByText('Ben Okafor').waitFor();
      for (const page of [anna, ben, grid]) {
        assert.deepEqual(page.errors, []);
        await page.close();
      }
    });
  },
);
