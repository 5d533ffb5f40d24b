/** The part of an AbortSignal that is relied on here. In every host it is a real one: hand it on to `fetch` and the like. */
export interface CallSignal {
  /** Nobody waits for the call any more. */
  readonly aborted: boolean;
  /** Hears when that happens. */
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  /** Hears it no more. */
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The part of an AbortController that is relied on here. */
export interface CallController {
  readonly signal: CallSignal;
  abort(): void;
}

// Every host of this code has it; `core/` names neither the DOM's types nor Node's.
const { AbortController } = globalThis as unknown as { readonly AbortController: new () => CallController };

export function callController(): CallController {
  return new AbortController();
}
