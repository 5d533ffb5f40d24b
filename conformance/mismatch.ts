/** What a backend did other than expected. Its message is what the report shows. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** Throws a `Mismatch` that says what was expected, and what came instead. */
export function expectThat(isRight: boolean, expected: string, actual?: unknown): asserts isRight {
  if (isRight) return;
  throw new Mismatch(
    actual === undefined ? `expected ${expected}` : `expected ${expected}, got ${shown(actual)}`,
  );
}

/** Compares two plain values by what they say as JSON. */
export function expectSame(what: string, actual: unknown, wanted: unknown): void {
  expectThat(JSON.stringify(actual) === JSON.stringify(wanted), `${what} ${shown(wanted)}`, actual ?? null);
}

/** As long as a line of a report may be. */
const SHOWN_LENGTH = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
