/** The newest version of the negotiate protocol that this server speaks. */
const NEWEST_VERSION = 1;

/**
 * Answers a SignalR negotiate request (`TransportProtocols.md`). `version` is the query parameter `negotiateVersion`.
 * Version 0 knows one id; from version 1 on `connectionId` is public and `connectionToken` opens the socket.
 * Errors are bodies too: the status stays 200.
 */
export function negotiateAnswer(
  version: string | null,
  newTicket: () => string,
  newPublicId: () => string,
): Readonly<Record<string, unknown>> {
  if (version !== null && !/^-?\d{1,9}$/.test(version)) {
    return { error: 'The client requested a non-integer protocol version.' };
  }
  if (Number(version) < 0) {
    return {
      error: `The client requested version '${version}', but the server does not support this version.`,
    };
  }
  const negotiateVersion = Math.min(Number(version), NEWEST_VERSION);
  const ids =
    negotiateVersion === 0
      ? { connectionId: newTicket() }
      : { connectionId: newPublicId(), connectionToken: newTicket() };
  return {
    negotiateVersion,
    ...ids,
    availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
  };
}
