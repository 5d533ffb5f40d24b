import type { Countdown } from './countdown.ts';
import type { LockMap } from './lock-map.ts';
import type { LockTransport } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';

/** What a lease needs of the client that owns it. */
export interface LeaseContext {
  readonly page: PageEnvironment;
  readonly locks: LockMap;
  readonly transport: LockTransport;
  /** Whether the hub's news arrive. */
  readonly isConnected: boolean;
  /** Above 0 for as long as lists of a gap may still come in: whoever waits holds back then. */
  readonly settling: Countdown;
  /** Tells the developer once, on the console, what the server refuses for good. */
  readonly complain: (message: string) => void;
}
