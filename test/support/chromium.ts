import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../../scripts/find-chromium.mjs';

export interface ChromiumOptions {
  /** Further command-line flags. */
  readonly args?: readonly string[];
  /** Flags of Playwright's own to leave out, e.g. `--disable-background-timer-throttling` to test throttling. */
  readonly ignoreDefaultArgs?: readonly string[];
}

/** A headless Chromium that talks to nobody but the tests. The caller closes it. */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');
  return await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.args ?? []),
    ],
    ...(options.ignoreDefaultArgs === undefined ? {} : { ignoreDefaultArgs: [...options.ignoreDefaultArgs] }),
  });
}
