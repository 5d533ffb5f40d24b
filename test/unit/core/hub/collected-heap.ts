import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the heap that are still in use after a collection. */
export function collectedHeapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
