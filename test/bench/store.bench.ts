// What locks in Redis cost, beside other lock libraries and the least that is possible: npm run bench store [-- options]
//   --rounds N    default 7             --only a,b    of peers, scripts, lists, http
//   --before DIR  another working copy of ours as a further peer     --write    into docs/benchmarks.md
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundle } from './store/bundle.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Without a loader in the process that is measured; as deep as server/redis/, which finds lua/ by its own place.
const measured = `${ROOT}.cache/bench/measure-store.mjs`;
await bundle(`${ROOT}test/bench/store/measure-store.ts`, measured);
const { status } = spawnSync(process.execPath, [measured, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
