import { HubError } from './hub-error.ts';
import { InvalidHubArguments } from './invalid-hub-arguments.ts';

/**
 * What a completion tells of an error that a method threw. The words are ASP.NET's, on which clients' tests rely;
 * `target` is as the client sent it. Only the text of a {@link HubError} passes through.
 */
export function invocationError(target: string, error: unknown): string {
  if (error instanceof InvalidHubArguments)
    return `Failed to invoke '${target}' due to an error on the server.`;
  const told = error instanceof HubError ? ` HubException: ${error.message}` : '';
  return `An unexpected error occurred invoking '${target}' on the server.${told}`;
}

/** The words for calls that never reach a method. */
export const refusedCall = {
  unknownMethod: (target: string) =>
    `Failed to invoke '${target}' due to an error on the server. HubException: Method does not exist.`,
  unauthorized: (target: string) => `Failed to invoke '${target}' because user is unauthorized`,
  needsStream: (target: string) =>
    `The client attempted to invoke the streaming '${target}' method with a non-streaming invocation.`,
  answersNoStream: (target: string) =>
    `The client attempted to invoke the non-streaming '${target}' method with a streaming invocation.`,
  uploads: (target: string, sent: number, expected: number) =>
    `An unexpected error occurred invoking '${target}' on the server. ` +
    `HubException: Client sent ${sent} stream(s), Hub method expects ${expected}.`,
  idInUse: (invocationId: string) => `Invocation ID '${invocationId}' is already in use.`,
  streamIdInUse: (streamId: string) => `Stream ID '${streamId}' is already in use.`,
  noIterable: (target: string) =>
    `The value returned by the streaming method '${target}' is not a ChannelReader<> or IAsyncEnumerable<>.`,
} as const;

/** What ends a stream that had begun; a {@link HubError}'s text passes through. */
export function streamError(error: unknown): string {
  const told = error instanceof HubError ? ` HubException: ${error.message}` : '';
  return `An error occurred on the server while streaming results.${told}`;
}
