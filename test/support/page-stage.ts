import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { BrowserContext, Page } from 'playwright-core';
import {
  LockError,
  lockable,
  MemoryChangeFeed,
  MemoryLockStore,
  microClock,
  type EntityRef,
  type Principal,
} from '../../core/index.ts';
import { bearerToken, createRowlock, type Rowlock } from '../../server/index.ts';
import { silentLog } from './silent-log.ts';

const DIST = fileURLToPath(new URL('../../dist/cdn', import.meta.url));
const HTMX = fileURLToPath(new URL('../../node_modules/htmx.org/dist', import.meta.url));

/** A call of the lock API as it came in. */
export interface SeenCall {
  readonly line: string;
  readonly authorization: string | undefined;
}

/** What can be cut off from the pages, as a network or a proxy would. */
export type Cut = 'hub' | 'api';

/**
 * The built script tag on a page of its own, and the real server with a clock that can be put forward: what happens to
 * one page. Users are their tokens, `anna` and `ben`.
 */
export interface PageStage {
  readonly url: string;
  readonly rowlock: Rowlock;
  /** The calls of the lock API, in order. */
  readonly calls: readonly SeenCall[];
  /** The server's time goes on by so much, at once. */
  pass(ms: number): void;
  /** Nothing gets through any more, and what is open breaks. */
  cut(...what: readonly Cut[]): void;
  mend(): void;
  /** The address of the page of a record. */
  page(as: string, uid: string, more?: string): string;
  stop(): Promise<void>;
}

/** A person of the stage. */
export function person(oid: string): Principal {
  return { tenant: 'acme', oid, name: `${oid[0]?.toUpperCase()}${oid.slice(1)}`, kind: 'user' };
}

export function record(entityUid: string): EntityRef {
  return { entityType: 'Order', entityUid };
}

/** What a page does from its first moment: the user is in its address, what it goes through is in `seen`. */
const SCRIPT = `
  const asked = new URLSearchParams(location.search);
  window.seen = [];
  for (const name of ['acquired', 'held', 'lost', 'released', 'unknown', 'error'])
    document.addEventListener('lock-' + name, () => seen.push(name), true);
  addEventListener('pageshow', ({ persisted }) => persisted && seen.push('restored'));
  Rowlock.configure({ getToken: () => asked.get('as') });
`;

const guardHtml = (uid: string, more: string) =>
  `<lock-guard lang="en" entity-type="Order" entity-uid="${uid}" ${more}><form><input name="note"><button>Save</button></form></lock-guard>`;

const pageHtml = (uid: string, more: string) => `<!doctype html><html lang="en"><title>${uid}</title>
  <link rel="icon" href="data:,">
  <script src="/cdn/rowlock.js"></script><script>${SCRIPT}</script><script src="/htmx/htmx.js"></script>
  <main>${uid === '' ? '' : guardHtml(uid, more)}</main>
  <table><tr><td>1</td><td><locked-by-cell entity-type="Order" entity-uid="${uid}"></locked-by-cell></td></tr></table>
  <p id="elsewhere"></p>`;

const text = (value: unknown) => (typeof value === 'string' ? value : '');

export async function startPageStage(): Promise<PageStage> {
  let skippedMs = 0;
  const cuts = new Set<Cut>();
  const sockets = new Map<Duplex, Cut | null>();
  const calls: SeenCall[] = [];
  const feed = new MemoryChangeFeed(microClock(() => Date.now() + skippedMs));
  const rowlock = createRowlock({
    types: [lockable('Order')],
    async identify(request) {
      const token = bearerToken(request);
      if (/^(anna|ben)$/.test(token)) return person(token);
      throw new LockError('unauthenticated', 'Nobody.');
    },
    backend: { store: new MemoryLockStore(feed), feed, async start() {}, async stop() {} },
    log: silentLog,
  });
  const app = express()
    .use('/api', rowlock.router)
    .use('/cdn', express.static(DIST))
    .use('/htmx', express.static(HTMX))
    .get('/fragment', ({ query }, response) => {
      response.type('html').send(guardHtml(text(query['uid']), ''));
    })
    .get('/elsewhere', (_request, response) => {
      response.type('html').send('<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">');
    })
    .get('/', ({ query }, response) => {
      response.type('html').send(pageHtml(text(query['uid']), text(query['more'])));
    });
  const inner = createServer(app);
  rowlock.attach(inner);
  await rowlock.start();

  const partOf = ({ url = '' }: IncomingMessage): Cut | null =>
    url.startsWith('/hubs/') ? 'hub' : url.startsWith('/api/') ? 'api' : null;
  const isCut = (request: IncomingMessage) => {
    const part = partOf(request);
    return part !== null && cuts.has(part);
  };
  const gate: Server = createServer((request, response) => {
    if (isCut(request)) return request.socket.destroy();
    if (partOf(request) === 'api' && request.method !== 'OPTIONS') {
      const { authorization } = request.headers;
      calls.push({ line: `${request.method} ${request.url}`, authorization });
    }
    return inner.emit('request', request, response);
  });
  gate.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isCut(request)) return socket.destroy();
    sockets.set(socket, partOf(request));
    socket.on('close', () => sockets.delete(socket));
    return inner.emit('upgrade', request, socket, head);
  });
  await once(gate.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  return {
    url,
    rowlock,
    calls,
    pass: (ms) => void (skippedMs += ms),
    cut(...what) {
      for (const part of what) cuts.add(part);
      for (const [socket, part] of sockets) if (part !== null && cuts.has(part)) socket.destroy();
    },
    mend: () => cuts.clear(),
    page: (as, uid, more = '') => `${url}/?as=${as}&uid=${uid}&more=${encodeURIComponent(more)}`,
    async stop() {
      const closed = once(gate, 'close');
      gate.close();
      for (const socket of sockets.keys()) socket.destroy();
      await rowlock.stop();
      gate.closeAllConnections();
      await closed;
    },
  };
}

/** Gives every page of a context a wall clock that can jump: `sleepPage()` is what a laptop's sleep looks like. */
export async function withJumpingClock(context: BrowserContext, offsetMs = 0): Promise<void> {
  await context.addInitScript((atFirst) => {
    const { now } = Date;
    let skippedMs = atFirst;
    Date.now = () => now() + skippedMs;
    Object.assign(window, { sleepFor: (ms: number) => (skippedMs += ms) });
  }, offsetMs);
}

/** The wall clock jumps, the steady one does not, and the page hears that it is awake. */
export async function sleepPage(page: Page, ms: number): Promise<void> {
  await page.evaluate((sleptMs) => {
    (window as unknown as { sleepFor(ms: number): void }).sleepFor(sleptMs);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, ms);
}

/** Waits until the page's guard is in a state; `mine` means open for editing. */
export async function inState(page: Page, state: string): Promise<void> {
  const open = state === 'mine' ? ':not(:state(blocked))' : '';
  await page.locator(`lock-guard:state(${state})${open}`).waitFor({ state: 'attached' });
}

/** What the page went through so far. */
export function seenBy(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

/** What the banner says, white space folded. */
export async function bannerOf(page: Page): Promise<string> {
  const text = await page.locator('lock-banner [part="banner"]').first().innerText();
  return text.replace(/\s+/g, ' ').trim();
}
