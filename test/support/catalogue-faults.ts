import type { Page } from 'playwright-core';

/**
 * What a page complains of: errors and warnings of its console, uncaught exceptions, requests that failed or were
 * refused. Grows while the page lives.
 */
export function catalogueFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(`${request.method()} ${request.url()} failed`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.url()} answered ${response.status()}`);
  });
  return faults;
}
