import * as v from 'valibot';

/** Ends every message of the JSON protocol, the handshake included. */
export const RECORD_SEPARATOR = '\u001e';

const HandshakeRequest = v.looseObject({ protocol: v.string(), version: v.number() });

/** The reply that accepts, and must precede everything else that the server sends. */
export const HANDSHAKE_ACCEPTED = `{}${RECORD_SEPARATOR}`;

/** Checks a client's first message. Answers the text that refuses it, or null. Texts are ASP.NET's. */
export function refuseHandshake(message: string): string | null {
  const request = v.safeParse(HandshakeRequest, parseJson(message));
  if (!request.success) return 'An unexpected error occurred during connection handshake.';
  const { protocol, version } = request.output;
  if (protocol.toLowerCase() !== 'json') return `The protocol '${protocol}' is not supported.`;
  if (version > 2) return `The server does not support version ${version} of the '${protocol}' protocol.`;
  return null;
}

export function handshakeRefused(error: string): string {
  return JSON.stringify({ error }) + RECORD_SEPARATOR;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses it: a malformed handshake and an empty one are the same to the client
  }
}
