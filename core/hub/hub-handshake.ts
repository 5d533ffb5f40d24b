import * as v from 'valibot';
import type { HubProtocol } from './hub-protocol.ts';
import { RECORD_SEPARATOR } from './json-hub-protocol.ts';
import { decodeUtf8 } from './utf8.ts';

/** The newest version of either hub protocol (2 = with stateful reconnection, which nobody is offered). */
const NEWEST_VERSION = 2;

const HandshakeRequest = v.looseObject({ protocol: v.string(), version: v.number() });

/** The reply that accepts. It precedes everything else that the server sends, and has no `type`. */
export const HANDSHAKE_ACCEPTED = `{}${RECORD_SEPARATOR}`;

/** What a client's first message asks for, or the text that refuses it. Texts are ASP.NET's. */
export type Handshake = { readonly protocol: HubProtocol } | { readonly refusal: string };

/** Reads a client's first message, which is JSON whatever protocol it chooses. Names are compared in any case. */
export function readHandshake(
  body: Uint8Array,
  protocols: readonly HubProtocol[],
  formats: readonly HubProtocol['format'][],
): Handshake {
  const request = v.safeParse(HandshakeRequest, parseJson(body));
  if (!request.success) return { refusal: 'An unexpected error occurred during connection handshake.' };
  const { protocol: name, version } = request.output;
  const protocol = protocols.find((known) => known.name === name.toLowerCase());
  if (protocol === undefined) return { refusal: `The protocol '${name}' is not supported.` };
  if (version > NEWEST_VERSION) {
    return { refusal: `The server does not support version ${version} of the '${name}' protocol.` };
  }
  if (!formats.includes(protocol.format)) {
    return {
      refusal:
        `Cannot use the '${protocol.name}' protocol on the current transport. ` +
        `The transport does not support '${protocol.format}' transfer format.`,
    };
  }
  return { protocol };
}

/** The reply that refuses. */
export function handshakeRefused(error: string): string {
  return JSON.stringify({ error }) + RECORD_SEPARATOR;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(body));
  } catch {
    return undefined; // the schema refuses it: a malformed handshake and an empty one are the same to the client
  }
}
