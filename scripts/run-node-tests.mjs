import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../test/support/reporter.mjs').TestMessage} TestMessage */
/** @typedef {import('./tally.mjs').Tally} Tally */

/** How long a file may live on when none of its tests runs; the next test would have begun at once. */
const LEAK_AFTER_MS = 15_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The process groups of the files that run now; Ctrl+C does not reach them by itself.
 *
 * @type {Set<number>}
 */
const groups = new Set();
process.on('exit', () => {
  groups.forEach(killGroup);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/**
 * Runs test files of node:test, each in a process of its own, and adds up what they report. A file that cannot be
 * loaded, contains no test, crashes, or in which nothing happens for `timeoutMs` (a test hangs, or a timer or
 * socket is left open) counts as one failed test.
 *
 * @param {readonly string[]} files relative to the root
 * @param {{ jobs: number, timeoutMs: number, namePattern?: string | undefined, isLive?: boolean | undefined }} options
 *   `isLive`: output is shown as it comes; by default where files run one after the other
 * @returns {Promise<Tally>}
 */
export async function runNodeTests(files, { jobs, timeoutMs, namePattern, isLive = jobs === 1 }) {
  /** @type {Tally} */
  const total = { passed: 0, failed: [], skipped: [] };
  const queue = [...files];
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const tally = await runFile(file, { live: isLive, timeoutMs, namePattern });
      total.passed += tally.passed;
      total.failed.push(...tally.failed);
      total.skipped.push(...tally.skipped);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return total;
}

/**
 * @param {string} file
 * @param {{ live: boolean, timeoutMs: number, namePattern?: string | undefined }} options
 * @returns {Promise<Tally>}
 */
function runFile(file, { live, timeoutMs, namePattern }) {
  /** @type {Tally} */
  const tally = { passed: 0, failed: [], skipped: [] };
  /** @type {string[]} tests and suites that have begun and not ended */
  const running = [];
  /** @type {string | undefined} */
  let stuck;
  // Files that run side by side are printed one after the other, each in one piece.
  let held = `\n${file}\n`;
  const print = (/** @type {string} */ text) => {
    if (live) process.stdout.write(text);
    else held += text;
  };
  if (live) {
    process.stdout.write(held);
    held = '';
  }

  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--test-reporter=./test/support/reporter.mjs',
      '--test-reporter-destination=stdout',
      ...(namePattern === undefined ? [] : [`--test-name-pattern=${namePattern}`]),
      file,
    ],
    // A group of its own: when the file is killed, the servers and browsers that its tests started go with it.
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true },
  );
  if (child.pid !== undefined) groups.add(child.pid);
  child.stdout?.setEncoding('utf8').on('data', print);
  child.stderr?.setEncoding('utf8').on('data', print);

  const giveUp = () => {
    stuck =
      running.length === 0
        ? 'does not end: its tests are over, but something is still open'
        : `does nothing any more while running: ${running.join(' › ')}`;
    child.kill('SIGUSR2');
    setTimeout(() => {
      if (child.pid !== undefined) killGroup(child.pid);
    }, 500);
  };
  let watchdog = setTimeout(giveUp, timeoutMs);

  child.on('message', (/** @type {{ rowlock?: TestMessage }} */ { rowlock: message }) => {
    // Other messages on the channel are the TypeScript loader's.
    if (message === undefined) return;
    if (message.kind === 'open') {
      print(`still open: ${message.resources.join(', ') || 'nothing that Node knows of'}\n`);
      return;
    }
    if (message.kind === 'started') running.push(message.name);
    if (message.kind === 'ended' && running.includes(message.name)) {
      running.splice(running.indexOf(message.name), 1);
    }
    clearTimeout(watchdog);
    watchdog = setTimeout(giveUp, running.length === 0 ? Math.min(timeoutMs, LEAK_AFTER_MS) : timeoutMs);
    if (message.kind !== 'outcome') return;
    const name = `${file}: ${message.name}`;
    if (message.result === 'passed') tally.passed += 1;
    else tally[message.result].push(name);
  });

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(watchdog);
      // What the file left running would hold its output open, and 'close' would never come.
      if (child.pid === undefined) return;
      killGroup(child.pid);
      groups.delete(child.pid);
    });
    child.on('close', (code, signal) => {
      const tests = tally.passed + tally.failed.length + tally.skipped.length;
      const fault =
        stuck ??
        (code !== 0 && tally.failed.length === 0
          ? `ended with ${signal ?? `exit code ${String(code)}`}`
          : undefined) ??
        (running.length > 0 ? `ended while running: ${running.join(' › ')}` : undefined) ??
        (tests === 0 && namePattern === undefined ? 'contains no test' : undefined);
      if (fault !== undefined) {
        print(`✖ ${file} ${fault}\n`);
        tally.failed.push(`${file} ${fault}`);
      }
      process.stdout.write(held);
      resolve(tally);
    });
  });
}

/**
 * Ends what is left of a test file's process group.
 *
 * @param {number} pid
 */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The usual case: every process of the group has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
