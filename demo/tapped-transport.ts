import type { LockTransport } from '../components/client/index.ts';
import { isLockChange, type DataChange } from '../core/index.ts';

/**
 * The same transport, with a listener on its hub connection: hears the application's own changes (`Updated`, …) that
 * Rowlock carries beside the locks, and null where some may have been missed. So that the grid needs no hub of its own.
 */
export function tappedTransport(
  transport: LockTransport,
  heard: (change: DataChange | null) => void,
): LockTransport {
  return {
    ...transport,
    subscribe: (listener) =>
      transport.subscribe({
        connected: (isConnected) => listener.connected(isConnected),
        changed(change) {
          listener.changed(change);
          if (!isLockChange(change)) heard(change);
        },
        resync(entityTypes) {
          listener.resync(entityTypes);
          heard(null);
        },
      }),
  };
}
