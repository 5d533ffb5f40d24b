import type { Writable } from 'node:stream';

/** Resolves when a stream takes more without keeping it, at once where it does now; also when it is closed. */
export function whenDrained(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
