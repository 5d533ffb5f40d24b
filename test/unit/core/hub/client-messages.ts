const RECORD_SEPARATOR = '\u001e';

/** One message as a client sends it in the JSON protocol; text as it is. */
export function frame(message: unknown): string {
  return (typeof message === 'string' ? message : JSON.stringify(message)) + RECORD_SEPARATOR;
}

export const HANDSHAKE = frame({ protocol: 'json', version: 1 });

export const PING = { type: 6 } as const;

/** How a client that broke a rule is sent away. It may come back. */
export const ERROR_CLOSE = {
  type: 7,
  error: 'Connection closed with an error.',
  allowReconnect: true,
} as const;

/** A call that waits for its answer. */
export function call(invocationId: string, target: string, ...args: readonly unknown[]) {
  return { type: 1, invocationId, target, arguments: args } as const;
}

/** A call that waits for a stream. */
export function streamCall(invocationId: string, target: string, ...args: readonly unknown[]) {
  return { type: 4, invocationId, target, arguments: args } as const;
}

/** A call that nobody waits for. */
export function note(target: string, ...args: readonly unknown[]) {
  return { type: 1, target, arguments: args } as const;
}

/** The server's call of a client method that it waits for nothing of. */
export const told = note;

export function result(invocationId: string, value: unknown) {
  return { type: 3, invocationId, result: value } as const;
}

export function failure(invocationId: string, error: string) {
  return { type: 3, invocationId, error } as const;
}

/** The good end of a stream, in either direction. */
export function end(invocationId: string) {
  return { type: 3, invocationId } as const;
}

export function item(invocationId: string, value: unknown) {
  return { type: 2, invocationId, item: value } as const;
}

export function cancel(invocationId: string) {
  return { type: 5, invocationId } as const;
}
