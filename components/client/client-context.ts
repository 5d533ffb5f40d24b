import type { LeaseView } from './lease-view.ts';
import type { LockMap } from './lock-map.ts';
import type { LockTransport } from './lock-transport.ts';
import type { PageClock } from './page-clock.ts';
import type { PageEnvironment } from './page-environment.ts';

/** What the parts of one client share. */
export interface ClientContext {
  readonly page: PageEnvironment;
  readonly clock: PageClock;
  readonly locks: LockMap;
  /** Answers what the server refuses for good, told to the developer once, on the console; null = ask again later. */
  readonly complain: (error: unknown) => LeaseView['error'];
  transport: LockTransport;
  /** Something is wanted again, perhaps after `stop()`: see to it that there is a connection. */
  readonly update: () => void;
  /** Whether the hub's news arrive. */
  isConnected: boolean;
  /** The page slept before its last look. */
  slept: boolean;
  /** Grows whenever news may have been missed. */
  gaps: number;
  /** Until then, lists of a gap may still come in: whoever waits holds back. */
  settledAt: number;
}
