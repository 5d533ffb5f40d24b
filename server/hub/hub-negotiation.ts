import type { NegotiatedIds } from './connection-tokens.ts';
import type { HubTransport } from './hub-transport.ts';

/** The newest version of the negotiate protocol that this server speaks. */
const NEWEST_VERSION = 1;

const TRANSFER_FORMATS: Readonly<Record<HubTransport, readonly string[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
};

/** Sends clients to another address, with a token for it where theirs is not good there (TransportProtocols.md). */
export interface NegotiateRedirect {
  /** The other hub's address. */
  readonly url: string;
  /** A token for it. */
  readonly accessToken?: string;
}

/**
 * Answers a SignalR negotiate request (TransportProtocols.md). `version` is the query parameter `negotiateVersion`.
 * Version 0 knows one id; from version 1 on `connectionId` is public and `connectionToken` opens the connection.
 * Errors are bodies too: the status stays 200. Stateful reconnection is never offered.
 */
export function negotiateAnswer(
  version: string | null,
  transports: readonly HubTransport[],
  issue: () => NegotiatedIds,
): Readonly<Record<string, unknown>> {
  const requested = version === null ? 0 : int32Of(version);
  if (requested === null) return { error: 'The client requested a non-integer protocol version.' };
  if (requested < 0) {
    return {
      error: `The client requested version '${requested}', but the server does not support this version.`,
    };
  }
  const negotiateVersion = Math.min(requested, NEWEST_VERSION);
  const { connectionId, connectionToken } = issue();
  return {
    negotiateVersion,
    ...(negotiateVersion === 0 ? { connectionId: connectionToken } : { connectionId, connectionToken }),
    availableTransports: transports.map((transport) => ({
      transport,
      transferFormats: TRANSFER_FORMATS[transport],
    })),
  };
}

/** As .NET's `int.TryParse` reads it; null = it is none. */
function int32Of(text: string): number | null {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) return null;
  const number = Number(text);
  return (number | 0) === number ? number | 0 : null;
}
