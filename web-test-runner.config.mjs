// Component tests: Lit elements in a real Chromium. `npm run test:components` runs them; for one file under watch:
//   npx web-test-runner --watch --files test/components/lock-guard.test.ts
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { fileURLToPath } from 'node:url';
import { findChromium } from './scripts/find-chromium.mjs';
import { testFiles } from './scripts/run-test-folder.mjs';
import { vendorPlugin } from './scripts/vendor-plugin.mjs';
import { accessibilitySnapshotPlugin } from './test/support/accessibility-snapshot-plugin.mjs';
import { componentReporter } from './test/support/component-reporter.mjs';

const executablePath = findChromium();
if (executablePath === undefined)
  throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');

/** Mocha's options. */
export const mocha = { timeout: '10000' };

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  rootDir: fileURLToPath(new URL('.', import.meta.url)),
  files: 'test/components/**/*.test.ts',
  // Pages of one browser share a BroadcastChannel and throttle each other in the background.
  concurrency: 1,
  // The development build of Lit says so once per page; that line is wanted nowhere.
  filterBrowserLogs: ({ args }) => !args.some((arg) => String(arg).includes('Lit is in dev mode')),
  nodeResolve: { exportConditions: ['browser', 'development'] },
  browsers: [
    // Not the Chrome launcher: it answers emulateMedia({ forcedColors }) with silence.
    playwrightLauncher({ product: 'chromium', launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  ],
  plugins: [
    vendorPlugin(testFiles('components')),
    esbuildPlugin({ ts: true, tsconfig: fileURLToPath(new URL('tsconfig.base.json', import.meta.url)) }),
    accessibilitySnapshotPlugin(),
  ],
  middleware: [
    (context, next) => {
      if (context.path === '/mockServiceWorker.js')
        context.url = '/node_modules/msw/lib/mockServiceWorker.js';
      return next();
    },
  ],
  testFramework: { config: mocha },
  testsFinishTimeout: 120_000,
  // Plain lines: the moving progress display garbles logs.
  staticLogging: true,
  reporters: [componentReporter()],
};
