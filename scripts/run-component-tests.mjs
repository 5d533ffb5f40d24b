import { startTestRunner } from '@web/test-runner';
import { componentReporter } from '../test/support/component-reporter.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * Runs component tests in Chromium as web-test-runner.config.mjs says.
 *
 * @param {string[]} files relative to the root
 * @param {string | undefined} namePattern
 * @returns {Promise<Tally>}
 */
export async function runComponentTests(files, namePattern) {
  // Imported when needed: the configuration looks for Chromium, which other folders do without.
  const { default: config, mocha } = await import('../web-test-runner.config.mjs');
  /** @type {Tally} */
  let result = { passed: 0, failed: [], skipped: [] };
  const runner = await startTestRunner({
    readCliArgs: false,
    readFileConfig: false,
    autoExitProcess: false,
    config: {
      ...config,
      files,
      watch: false,
      testFramework: {
        config: { ...mocha, ...(namePattern === undefined ? {} : { grep: namePattern }) },
      },
      reporters: [
        componentReporter((tally) => {
          result = tally;
        }),
      ],
    },
  });
  if (runner === undefined) throw new Error('@web/test-runner did not start');
  await new Promise((resolve) => {
    runner.on('stopped', resolve);
  });
  return result;
}
