import { httpSignalRTransport, type LockTransport } from '../components/client/index.ts';
import type { TokenSource } from './token-source.ts';
import type { WireTap } from './wire-tap.ts';

/** The transport of one of the demo's users, with whoever listens in on it. */
export function deskTransport({
  getToken,
  tap,
}: {
  readonly getToken: TokenSource;
  readonly tap?: WireTap;
}): LockTransport {
  const transport = httpSignalRTransport({
    // The lock client keeps its token until that is refused: then only a new one helps.
    getToken: () => getToken({ refresh: true }),
    ...(tap && { fetch: tap.fetch }),
  });
  return tap?.transport(transport) ?? transport;
}
