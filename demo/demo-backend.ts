import type { MockFailure } from '../mocks/index.ts';
import type { DemoUserKey } from './demo-users.ts';
import { demoTokenSource, type TokenSource } from './token-source.ts';

/** Who answers this page, and how it speaks for its users. */
export interface DemoBackend {
  readonly kind: 'live' | 'mock';
  readonly tokensFor: (user: DemoUserKey) => TokenSource;
  /** Breaks the mock, or mends it with null. The live server cannot be broken from a page. */
  readonly fail: (failure: MockFailure | null) => void;
  /** No server answered, so the mock stands in. */
  readonly serverMissing: boolean;
}

/** Starts what the page's address asks for: the live server where one answers, otherwise the mock. */
export async function startDemoBackend(wanted: DemoBackend['kind']): Promise<DemoBackend> {
  const isLive = wanted === 'live' && !isStaticSite() && (await hasServer());
  if (isLive) return { kind: 'live', tokensFor: demoTokenSource, fail: () => {}, serverMissing: false };
  // Loaded only where it is needed: msw is larger than the rest of the page.
  const { startDemoMock } = await import('./mock-backend.ts');
  const serverMissing = wanted === 'live' && !isStaticSite();
  return { kind: 'mock', serverMissing, ...(await startDemoMock()) };
}

/** Whether the page was built to be served as plain files (`npm run build:demo`): there is no server to ask. */
export function isStaticSite(): boolean {
  return document.querySelector('meta[name="rowlock-demo"][content="static"]') !== null;
}

/** Whether somebody hands out tokens here. */
async function hasServer(): Promise<boolean> {
  return demoTokenSource('anna')().then(
    () => true,
    () => false,
  );
}
