import type { Log } from '../core/index.ts';

/** The part of a pino logger that is relied on here; other loggers with details first fit as well. */
export interface DetailsFirstLogger {
  /** What is good to know. */
  info(details: object, message: string): void;
  /** What somebody should look at. */
  warn(details: object, message: string): void;
  /** What is broken. */
  error(details: object, message: string): void;
}

/**
 * Rowlock's log in the application's own pino logger: `createRowlock({ log: pinoLog(logger.child({ part: "locks" })) })`.
 * Rowlock's details never hold a token or a body; redaction, levels and destinations are the logger's.
 */
export function pinoLog(logger: DetailsFirstLogger): Log {
  return {
    info: (message, details = {}) => logger.info(details, message),
    warn: (message, details = {}) => logger.warn(details, message),
    error: (message, details = {}) => logger.error(details, message),
  };
}
