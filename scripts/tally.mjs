/**
 * What a test run came to: failed and skipped tests by name, the passed ones as a number.
 *
 * @typedef {{ passed: number, failed: string[], skipped: string[] }} Tally
 */

/**
 * The end of a run's output: the names of what failed and was skipped, then the one line that machines read.
 *
 * @param {Tally} tally
 */
export function formatTally({ passed, failed, skipped }) {
  return [
    ...(failed.length > 0 ? ['', 'Failed:', ...failed.map((name) => `  ✖ ${name}`)] : []),
    ...(skipped.length > 0 ? ['', 'Skipped:', ...skipped.map((name) => `  ﹣ ${name}`)] : []),
    '',
    `${String(passed)} passed, ${String(failed.length)} failed${skipped.length > 0 ? `, ${String(skipped.length)} skipped` : ''}`,
  ].join('\n');
}

/**
 * A run counts as good only if something ran: an empty run is a mistake in its file names or filters.
 *
 * @param {Tally} tally
 */
export function isGood({ passed, failed, skipped }) {
  return failed.length === 0 && passed + skipped.length > 0;
}

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  return {
    passed: tallies.reduce((passed, tally) => passed + tally.passed, 0),
    failed: tallies.flatMap((tally) => tally.failed),
    skipped: tallies.flatMap((tally) => tally.skipped),
  };
}
