import type { Log } from '../../core/index.ts';

/** For tests that are not about messages. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
