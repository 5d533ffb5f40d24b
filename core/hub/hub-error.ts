/** An error whose text the caller may read. The texts of all other errors stay on the server. */
export class HubError extends Error {
  override readonly name = 'HubError';
}
