import type { IncomingMessage } from 'node:http';

export interface ReadBodyOptions {
  readonly maxBytes: number;
  /** The whole body must be here by then. */
  readonly withinMs: number;
}

/** Reads a request's whole body. `aborted` = the client broke off or was too slow. Never rejects. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, withinMs }: ReadBodyOptions,
): Promise<Buffer | 'aborted' | 'too-large'> {
  return new Promise((resolve) => {
    if (request.destroyed) {
      resolve('aborted'); // while it waited: nothing would tell of its end again
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (outcome: Buffer | 'aborted' | 'too-large') => {
      clearTimeout(timer);
      request.off('data', onData);
      resolve(outcome);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) settle('too-large');
      else chunks.push(chunk);
    };
    const timer = setTimeout(settle, withinMs, 'aborted');
    request.on('data', onData);
    request.once('end', () => settle(Buffer.concat(chunks, length)));
    request.once('error', () => settle('aborted'));
    request.once('close', () => settle('aborted')); // after 'end' it changes nothing
  });
}
