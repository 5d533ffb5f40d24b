import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { DemoServer } from './demo-server.ts';

/** One person's page of the demo, in a browser context of its own. */
export class Desk {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong on the page: console errors and uncaught exceptions, in order. */
  readonly errors: string[] = [];

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.context = context;
    page.on('pageerror', (error) => this.errors.push(String(error)));
  }

  /** Opens a user's desk with one request open. `prepare` runs before the page loads. */
  static async open(
    browser: Browser,
    demo: DemoServer,
    user: 'anna' | 'ben',
    request: string,
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Desk> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(15_000);
    // The TypeScript loader names functions with a helper of its own, which functions sent to a page miss.
    await context.addInitScript('globalThis.__name ??= (target) => target');
    await prepare?.(context);
    const desk = new Desk(await context.newPage(), context);
    await desk.page.goto(`${demo.url}/approvals.html?user=${user}&request=${request}`);
    return desk;
  }

  /** An element of the page by its `data-testid`; Playwright looks through open shadow roots. */
  get(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  get guard(): Locator {
    return this.page.locator('lock-guard');
  }

  /** Waits until the open form's guard is in a state; `mine` means open for editing, with its data loaded. */
  async inState(state: string): Promise<void> {
    const open = state === 'mine' ? ':not(:state(blocked))' : '';
    await this.page.locator(`lock-guard:state(${state})${open}`).waitFor({ state: 'attached' });
  }

  /** The visible words of the guard's banner, white space folded. */
  async bannerText(): Promise<string> {
    const banner = this.page.locator('lock-banner [part="banner"]').first();
    return (await banner.innerText()).replace(/\s+/g, ' ').trim();
  }

  /** Whether a real pointer could reach this element: it is shown, and neither inert nor covered. */
  async isReachable(testId: string): Promise<boolean> {
    const locator = this.get(testId);
    if ((await locator.count()) === 0) return false;
    return locator.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
      const box = element.getBoundingClientRect();
      if (box.width === 0) return false;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot) {
        const inner = hit.shadowRoot.elementFromPoint(x, y);
        if (inner === null || inner === hit) break;
        hit = inner;
      }
      return hit !== null && (hit === element || element.contains(hit));
    });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
