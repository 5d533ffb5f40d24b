// The reporter of @web/test-runner: the same lines, and the same closing line, as the tests that run in Node.
import { relative } from 'node:path';
import { formatTally } from '../../scripts/tally.mjs';

/** @typedef {import('../../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('@web/test-runner').TestSession} TestSession */
/** @typedef {import('@web/test-runner').TestSuiteResult} TestSuiteResult */
/** @typedef {import('@web/test-runner').TestResultError} TestResultError */

/**
 * @param {(tally: Tally) => void} [onFinished] receives the result; by default it is printed
 * @returns {import('@web/test-runner').Reporter}
 */
export function componentReporter(
  onFinished = (tally) => {
    console.log(formatTally(tally));
  },
) {
  return {
    reportTestFileResults({ sessionsForTestFile, testFile }) {
      // Not the runner's logger: it writes cursor movements, even into a file.
      console.log(`\n${relative(process.cwd(), testFile)}`);
      for (const session of sessionsForTestFile) console.log(describeSession(session));
    },
    onTestRunFinished({ sessions }) {
      onFinished(tallyOf(sessions));
    },
  };
}

/**
 * @param {readonly TestSession[]} sessions
 * @returns {Tally}
 */
function tallyOf(sessions) {
  /** @type {Tally} */
  const tally = { passed: 0, failed: [], skipped: [] };
  for (const session of sessions) {
    const file = relative(process.cwd(), session.testFile);
    const before = tally.passed + tally.failed.length + tally.skipped.length;
    for (const { path, test } of testsOf(session.testResults)) {
      const name = `${file}: ${[...path, test.name].join(' › ')}`;
      if (test.skipped) tally.skipped.push(name);
      else if (test.passed) tally.passed += 1;
      else tally.failed.push(name);
    }
    // The file did not load, the page crashed, or an error outside of any test.
    if (session.errors.length > 0)
      tally.failed.push(`${file}: ${session.errors[0]?.message ?? 'unknown error'}`);
    else if (!session.passed && tally.passed + tally.failed.length + tally.skipped.length === before) {
      tally.failed.push(`${file}: contains no test, or its page did not finish`);
    }
  }
  return tally;
}

/**
 * @param {TestSuiteResult | undefined} suite
 * @param {readonly string[]} path
 * @returns {Array<{ path: readonly string[], test: import('@web/test-runner').TestResult }>}
 */
function testsOf(suite, path = []) {
  if (suite === undefined) return [];
  return [
    ...suite.tests.map((test) => ({ path, test })),
    ...suite.suites.flatMap((inner) => testsOf(inner, [...path, inner.name])),
  ];
}

/** @param {TestSession} session */
function describeSession(session) {
  const lines = testsOf(session.testResults).map(({ path, test }) => {
    const name = [...path, test.name].join(' › ');
    if (test.skipped) return `  ﹣ ${name} (skipped)`;
    const duration = test.duration === undefined ? '' : ` (${String(Math.round(test.duration))} ms)`;
    if (test.passed) return `  ✔ ${name}${duration}`;
    return `  ✖ ${name}${duration}\n${explain(test.error)}`;
  });
  if (session.passed) return lines.join('\n');
  return [
    ...lines,
    ...session.errors.map((error) => `  ✖ outside of any test\n${explain(error)}`),
    ...session.request404s.map((url) => `    404: ${url}`),
    ...session.logs.map((values) => `    console: ${values.map(String).join(' ')}`),
  ].join('\n');
}

/** @param {TestResultError | undefined} error */
function explain(error) {
  if (error === undefined) return '    (no error was reported)';
  const { message, stack, expected, actual } = error;
  return [
    message,
    ...(expected === undefined && actual === undefined
      ? []
      : [`expected: ${expected ?? ''}`, `actual:   ${actual ?? ''}`]),
    ...(stack === undefined ? [] : [stack]),
  ]
    .join('\n')
    .replace(/^/gm, '      ');
}
