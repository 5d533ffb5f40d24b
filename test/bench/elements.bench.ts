// What cells cost in a page, beside a bare Lit element and one written by hand: npm run bench elements [-- options]
//   --rounds N    default 7             --write    into docs/benchmarks.md
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import type { BenchPage, CellTag, CellTimes } from './elements/bench-page.ts';
import { CELLS_ASIDE, type ElementsFindings } from './elements/elements-findings.ts';
import { elementsReport } from './elements/elements-report.ts';
import { packageVersions } from './measured-on.ts';
import { writeSection } from './write-section.ts';

declare const page: BenchPage;

const COUNTS = [2_000, 10_000];
const CHANGE_AMONG = [10, 2_000, 10_000];
const ROWS = 500;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, write: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('elements/bench-page.ts', import.meta.url))],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
  logLevel: 'warning',
});
const browser = await launchChromium({ args: ['--js-flags=--expose-gc'] });
const report = elementsReport(await measure(await browser.newPage()));
await browser.close();
console.log(`\n${report}\n`);
if (values.write) await writeSection('docs/benchmarks.md', 'elements', 'The elements in a page', report);

async function measure(tab: Page): Promise<ElementsFindings> {
  await tab.setContent('<!doctype html><html lang="en"><title>Bench</title><body></body></html>');
  await tab.addScriptTag({ type: 'module', content: outputFiles[0]?.text ?? '' });
  await tab.waitForFunction(() => 'page' in globalThis);
  const tags: readonly CellTag[] = ['locked-by-cell', ...CELLS_ASIDE.map(([tag]) => tag)];
  const cells = COUNTS.flatMap((count) => tags.map((tag) => ({ tag, count, times: [] as CellTimes[] })));
  const changes = CHANGE_AMONG.map((count) => ({ count, ms: [] as number[] }));
  // The first round warms the page up.
  for (let round = 0; round <= rounds; round += 1) {
    console.log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { tag, count, times } of cells) {
      const time = await tab.evaluate(([what, many]) => page.measure(what, many), [tag, count] as const);
      if (round > 0) times.push(time);
    }
    for (const { count, ms } of changes) {
      const one = await tab.evaluate((many) => page.oneChange(many), count);
      if (round > 0) ms.push(one);
    }
  }
  const requests = { rows: ROWS, ...(await tab.evaluate((rows) => page.requests(rows), ROWS)) };
  const versions = { 'headless Chromium': browser.version(), ...packageVersions('lit') };
  return { rounds, versions, cells, changes, requests, bundle: bundleByPackage() };
}

/** What `npm run size` says of the script tag. */
function bundleByPackage(): { name: string; gzip: number }[] {
  const { stdout } = spawnSync(process.execPath, ['scripts/size.mjs'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    encoding: 'utf8',
  });
  const [, table = ''] = stdout.split(/^rowlock\.js by package.*\n/m);
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^(\S+) +\d+ +(-?\d+)$/gm)].map(
    ([, name = '', gzip]) => ({
      name,
      gzip: Number(gzip),
    }),
  );
}
