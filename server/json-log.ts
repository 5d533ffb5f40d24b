import type { Log } from '../core/index.ts';

/** Names under which secrets come: their values never reach the log. */
const SECRET = /^(authorization|access_?token|token|cookie|set-cookie|password|id_?token)$/i;

/** How lines are written. */
export interface JsonLogOptions {
  /** Takes one line at a time. Default: stdout for `info`, stderr for the rest. */
  readonly write?: (line: string, level: keyof Log) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** A log of one JSON object a line: `time`, `level`, `message`, then the details. Never throws. */
export function jsonLog({ write = writeToProcess, now = () => new Date() }: JsonLogOptions = {}): Log {
  const at =
    (level: keyof Log): Log[keyof Log] =>
    (message, details = {}) => {
      const head = { time: now().toISOString(), level, message };
      write(toLine({ ...head, ...details, ...head }) ?? JSON.stringify(head), level);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** null for details that are no JSON (circular, a bigint). */
function toLine(entry: Readonly<Record<string, unknown>>): string | null {
  try {
    return JSON.stringify(entry, (name, value: unknown) => {
      if (SECRET.test(name)) return '[hidden]';
      return value instanceof Error ? value.message : value;
    });
  } catch {
    return null;
  }
}

function writeToProcess(line: string, level: keyof Log): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${line}\n`);
}
