// The reporter of node:test for one test file: readable lines on stdout, and, when scripts/test.mjs started the
// process, each outcome as a message to it. Suites are headings, not tests. Failures are printed in full.
import { inspect } from 'node:util';

/**
 * What the runner needs to know: `outcome` is what it counts; `started` and `ended` come for suites too.
 *
 * @typedef {{ kind: 'started' | 'ended', name: string }
 *   | { kind: 'outcome', name: string, result: 'passed' | 'failed' | 'skipped' }
 *   | { kind: 'open', resources: string[] }} TestMessage
 */

// How node:test (Node 20) marks tests that a name filter left out. They are not skips: nobody asked for them.
const FILTERED = 'test name does not match pattern';

// Asked by the runner when the process does not end: what keeps it alive is half of the diagnosis.
process.on('SIGUSR2', () => {
  tell({ kind: 'open', resources: process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap') });
});

/**
 * @param {AsyncIterable<{ type: string, data: any }>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* report(events) {
  /** @type {string[]} the names of the tests and suites round the present one */
  const path = [];
  let headings = 0;
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') tell({ kind: 'started', name: data.name });
    if (type === 'test:start') {
      path.length = data.nesting;
      path.push(data.name);
      headings = Math.min(headings, data.nesting);
    }
    if (type === 'test:diagnostic' && data.nesting > 0) yield `${indent(data.nesting)}  ℹ ${data.message}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;

    tell({ kind: 'ended', name: data.name });
    path.length = data.nesting;
    const name = [...path, data.name].join(' › ');
    const result = resultOf(type, data);
    if (result === undefined) continue;
    for (; headings < path.length; headings += 1) yield `${indent(headings)}${path[headings] ?? ''}\n`;
    tell({ kind: 'outcome', name, result });
    yield line(data, result);
  }
}

/**
 * @param {string} type
 * @param {any} data
 * @returns {'passed' | 'failed' | 'skipped' | undefined} undefined: not a test of its own
 */
function resultOf(type, data) {
  if (data.skip === FILTERED) return undefined;
  if (type === 'test:fail' && data.todo === undefined) {
    const failure = data.details.error?.failureType;
    // A suite fails whenever one of its tests does, which is counted already; a broken hook or body is news.
    return data.details.type === 'suite' && failure === 'subtestsFailed' ? undefined : 'failed';
  }
  // A skipped suite does not report the tests inside it: it stands for them.
  if (data.details.type === 'suite') return data.skip === undefined ? undefined : 'skipped';
  return data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped';
}

/**
 * @param {any} data
 * @param {'passed' | 'failed' | 'skipped'} result
 */
function line(data, result) {
  const pad = indent(data.nesting);
  const duration = `(${data.details.duration_ms.toFixed(0)} ms)`;
  if (result === 'passed') return `${pad}✔ ${data.name} ${duration}\n`;
  if (result === 'skipped') {
    const reason = data.skip ?? data.todo;
    return `${pad}﹣ ${data.name} (${data.todo === undefined ? 'skipped' : 'todo'}${typeof reason === 'string' && reason !== '' ? `: ${reason}` : ''})\n`;
  }
  const details = explain(data.details.error).replace(/^/gm, `${pad}    `);
  return `${pad}✖ ${data.name} ${duration}\n${details}\n`;
}

/**
 * @param {any} error node:test's wrapper; what the test threw is its cause
 * @returns {string}
 */
function explain(error) {
  const thrown = error?.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 8, breakLength: 100 });
}

/** @param {number} nesting */
function indent(nesting) {
  return '  '.repeat(nesting);
}

/** @param {TestMessage} message */
function tell(message) {
  // No channel when a developer runs one file by hand with this reporter.
  process.send?.({ rowlock: message });
}
