import { after, before } from 'node:test';
import type { Browser, Locator, Page, WebSocket } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startForeignBackend, type ForeignBackend } from './foreign-backend.ts';
import { startPageServer, type PageServer } from './pages/page-server.ts';

/** How long a lock of the backend lives, in milliseconds: long enough for a second's error of its clock's header. */
export const LEASE_MS = 4_000;
const RENEW_AFTER_MS = 1_500;

/** One person's page of the application with its own backend. */
export interface ForeignPage {
  readonly page: Page;
  readonly guard: Locator;
  readonly note: Locator;
  readonly cell: Locator;
  /** Uncaught errors, and what the client complained of. */
  readonly errors: readonly string[];
  /** The first hub connection, once the hub has let it in. */
  readonly connected: Promise<WebSocket>;
  /** Waits until the form is in a state; `mine` means open for editing. */
  inState(state: string): Promise<void>;
  /** Waits until the banner says this. */
  says(text: RegExp): Promise<void>;
  button(name: string): Locator;
  /** The person goes away without a farewell, as a crashed browser does. */
  close(): Promise<void>;
}

export interface ForeignPageOptions {
  readonly show?: 'form' | 'grid';
  /** Loads the record when the lock is there, instead of with the page. */
  readonly claimThenLoad?: boolean;
  readonly tokenSeconds?: number;
  /** How wrong the clock of the computer is, in milliseconds. */
  readonly clockOffMs?: number;
}

export interface ForeignStage {
  readonly redis: RedisServer;
  readonly backend: ForeignBackend;
  readonly pages: PageServer;
  open(user: 'anna' | 'ben', request: string, options?: ForeignPageOptions): Promise<ForeignPage>;
}

/** The application, its Redis and a browser, for the tests of the `describe` that it is called in. */
export function setForeignStage(): ForeignStage {
  let redis: RedisServer | undefined;
  let pages: PageServer | undefined;
  let backend: ForeignBackend | undefined;
  let browser: Browser | undefined;
  before(async () => {
    [redis, pages, browser] = await Promise.all([startRedis(), startPageServer(), launchChromium()]);
    backend = await startForeignBackend({
      redisPort: redis.port,
      leaseMs: LEASE_MS,
      pageOrigin: pages.origin,
    });
  });
  after(async () => {
    await browser?.close();
    await Promise.all([backend?.stop(), pages?.stop(), redis?.stop()]);
  });
  const there = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The stage is set when the first test begins.');
    return part;
  };
  return {
    get redis() {
      return there(redis);
    },
    get backend() {
      return there(backend);
    },
    get pages() {
      return there(pages);
    },
    open: (user, request, options) =>
      openPage(there(browser), there(pages), there(backend), user, request, options),
  };
}

async function openPage(
  browser: Browser,
  pages: PageServer,
  backend: ForeignBackend,
  user: string,
  request: string,
  { show = 'form', claimThenLoad = false, tokenSeconds = 600, clockOffMs = 0 }: ForeignPageOptions = {},
): Promise<ForeignPage> {
  const context = await browser.newContext();
  context.setDefaultTimeout(15_000);
  if (clockOffMs !== 0)
    await context.addInitScript(`const now = Date.now; Date.now = () => now() + ${clockOffMs};`);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.text().startsWith('rowlock:')) errors.push(message.text());
  });
  const connected = page.waitForEvent('websocket').then(async (socket) => {
    // The answer to the handshake; what the hub says after that is heard.
    await socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).startsWith('{}'),
    });
    return socket;
  });
  // Where the hub is away nobody asks for it.
  connected.catch(() => {});
  const query = new URLSearchParams({
    api: backend.url,
    user,
    request,
    show,
    'renew-after-ms': String(RENEW_AFTER_MS),
    'token-seconds': String(tokenSeconds),
    ...(claimThenLoad ? { 'claim-then-load': '' } : {}),
  });
  await page.goto(`${pages.origin}/?${query.toString()}`);
  return {
    page,
    errors,
    connected,
    guard: page.locator('lock-guard'),
    note: page.locator('textarea'),
    cell: page.locator('locked-by-cell [part=name]'),
    async inState(state) {
      const open = state === 'mine' ? ':not(:state(blocked))' : '';
      await page.locator(`lock-guard:state(${state})${open}`).waitFor({ state: 'attached' });
    },
    async says(text) {
      await page.locator('lock-banner [part=banner]').filter({ hasText: text }).waitFor();
    },
    button: (name) => page.getByRole('button', { name }),
    close: () => context.close(),
  };
}
