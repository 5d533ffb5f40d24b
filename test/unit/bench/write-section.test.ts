import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { elementsReport } from '../../bench/elements/elements-report.ts';
import { hubReport } from '../../bench/hub/hub-report.ts';
import type { RoundResult } from '../../bench/hub/peer-under-test.ts';
import type { Peer, PeerName } from '../../bench/hub/peers.ts';
import { measuredOn, packageVersions } from '../../bench/measured-on.ts';
import { storeReport } from '../../bench/store/store-report.ts';
import { withHead, writeSection } from '../../bench/write-section.ts';

const WHOLE = `Measured on ${measuredOn({ Redis: '7.0.15' })}.\n\nIn nothing measured here is ours behind.`;

describe('a section of docs/benchmarks.md', () => {
  let folder = '';
  let file = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rowlock-bench-'));
    file = join(folder, 'benchmarks.md');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is put in its place, under the page’s head, and leaves the others as they are', async () => {
    await writeSection(file, 'one', 'First', `${WHOLE}\n\nold`);
    await writeSection(file, 'two', 'Second', WHOLE);
    writeFileSync(file, readFileSync(file, 'utf8').replace('# Benchmarks', '# Old head'));
    await writeSection(file, 'one', 'First', `${WHOLE}\n\nnew`);
    const page = readFileSync(file, 'utf8');
    assert.equal(page, await formattedHead(page), 'the head is the present one');
    assert.match(
      page,
      /^# Benchmarks\n[\s\S]*<!-- bench one -->\n\n## First[\s\S]*\nnew\n[\s\S]*<!-- bench two -->\n\n## Second/,
    );
    assert.equal(/old/i.test(page), false, page);
  });

  for (const [what, pattern] of [
    ['the day', /Measured on .{10}/],
    ['the CPU', /\d+ cores of/],
    ['the memory', / GiB of memory/],
    ["Node's version", /Node v[\d.]+/],
    ['where ours is behind', /In nothing .*\./],
  ] as const) {
    it(`is refused without ${what}`, async () => {
      await assert.rejects(writeSection(file, 'three', 'Third', WHOLE.replace(pattern, '')), {
        message: `The report of three does not say: ${what}.`,
      });
    });
  }

  it('of the hub says what each peer is better in', async () => {
    const report = hubReport({
      peers: [peer('rowlock', 'Rowlock'), peer('bare-ws', 'bare `ws`')],
      missing: [],
      clients: 10,
      versions: packageVersions('ws'),
      fanOut: {
        paced: new Map([
          ['rowlock', [round(90, 5)]],
          ['bare-ws', [round(100, 6)]],
        ]),
        stream: new Map([
          ['rowlock', [round(100, 6)]],
          ['bare-ws', [round(100, 5)]],
        ]),
        burst: new Map([
          ['rowlock', [round(200, 5)]],
          ['bare-ws', [round(100, 6)]],
        ]),
      },
      memory: {
        connections: 10,
        bytes: new Map([
          ['rowlock', 8],
          ['bare-ws', 6],
        ]),
      },
    });
    assert.match(
      report,
      /behind .* in 3 of 7 comparisons:\*\*\n\n- bare `ws`: speed of paced messages 0\.90, CPU of single messages at full speed 0\.83, memory of an idle connection 0\.75\n/,
    );
    assert.match(report, /Measured on .*, ws \d+\.\d+\.\d+\./);
    await writeSection(file, 'hub', 'Hub', report);
  });

  it('of the elements says what each peer is better in', async () => {
    const times = (mountMs: number, updateMs: number) => [{ mountMs, updateMs }];
    const report = elementsReport({
      rounds: 1,
      versions: { 'headless Chromium': '150.0' },
      cells: [
        { tag: 'locked-by-cell', count: 2_000, times: times(60, 20) },
        { tag: 'bare-lit-cell', count: 2_000, times: times(50, 40) },
        { tag: 'hand-written-cell', count: 2_000, times: times(30, 10) },
      ],
      changes: [],
      requests: { rows: 1, lists: 1, connections: 1 },
      bundle: [],
    });
    assert.match(
      report,
      /in 3 of 4 comparisons:\*\*\n\n- a bare Lit element: mount 2,000 1\.20\n- an element written by hand: mount 2,000 2\.00, change 2,000 2\.00\n/,
    );
    assert.match(report, /headless Chromium 150\.0\./);
    await writeSection(file, 'elements', 'Elements', report);
  });

  it('of the store says all that it needs, also where nothing was compared', async () => {
    const nothing = { pairs: null, scripts: null, lists: null, http: null };
    const report = storeReport({
      missing: [],
      rounds: 1,
      redisVersion: '7.0.15',
      others: 0,
      stalls: 0,
      ...nothing,
    });
    assert.match(report, /Redis 7\.0\.15, ioredis \d+\.\d+\.\d+, express \d+\.\d+\.\d+\./);
    await writeSection(file, 'store', 'Store', report);
  });
});

async function formattedHead(page: string): Promise<string> {
  const { format, resolveConfig } = await import('prettier');
  return await format(withHead(page), { ...(await resolveConfig('docs/benchmarks.md')), parser: 'markdown' });
}

function peer(name: PeerName, label: string): Peer {
  return { name, label } as Peer;
}

function round(deliveriesPerS: number, cpuUsPerDelivery: number): RoundResult {
  const load = { serverLoad: 1, clientLoad: 1, othersLoad: 0 };
  return { deliveriesPerS, cpuUsPerDelivery, messagesPerFrame: 1, halfMs: [1], allMs: [1], ...load };
}
