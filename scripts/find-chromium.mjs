import { chromium } from 'playwright-core';
import { findExecutable } from './find-executable.mjs';

/**
 * The path of a Chromium or Chrome, or undefined. CHROMIUM_PATH decides alone when set; otherwise PATH, the usual
 * places, and last a browser that Playwright has downloaded for another project.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  return findExecutable('CHROMIUM_PATH', [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/usr/bin/chromium',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    chromium.executablePath(),
  ]);
}
