/** A message that breaks the protocol: malformed, too large, too deep. Its connection is closed, and may come back. */
export class InvalidHubMessage extends Error {
  override readonly name = 'InvalidHubMessage';
}
