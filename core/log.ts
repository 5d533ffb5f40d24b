/** Where messages for the operator go: one line each, with details as plain data. Never a token, never a whole body. */
export interface Log {
  /** What is good to know. */
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  /** What somebody should look at. */
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  /** What is broken. */
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}
