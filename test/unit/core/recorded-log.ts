import type { Log } from '../../../core/index.ts';

/** A log that keeps its lines. */
export class RecordedLog implements Log {
  readonly lines: { readonly level: keyof Log; readonly message: string; readonly reason: unknown }[] = [];

  info(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#keep('info', message, details);
  }

  warn(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#keep('warn', message, details);
  }

  error(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#keep('error', message, details);
  }

  #keep(level: keyof Log, message: string, { reason }: Readonly<Record<string, unknown>>): void {
    this.lines.push({ level, message, reason });
  }
}
