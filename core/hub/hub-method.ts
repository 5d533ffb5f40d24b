import type { Principal } from '../principal.ts';
import type { CallSignal } from './call-signal.ts';
import type { HubConnection } from './hub-connection.ts';

/** One call of a hub method: who calls, and what comes with it beside the arguments. */
export interface HubCall {
  /** Whose call it is. */
  readonly connection: HubConnection;
  /** Aborted when the caller cancels the stream that it asked for, or is gone. */
  readonly signal: CallSignal;
  /** The upload streams, as many as the method says. Each throws a `HubError` with the client's words where it fails. */
  readonly uploads: readonly AsyncIterable<unknown>[];
}

/**
 * What a client may call. Arguments come as the client sent them: check them, and throw `InvalidHubArguments` where they
 * do not fit, a `HubError` for a text that the caller may read. The texts of all other errors stay on the server.
 */
export type HubMethodRun = (call: HubCall, ...args: unknown[]) => unknown;

/** A method that is more than a plain call. */
export interface HubMethodOptions {
  /** What the method does. */
  readonly run: HubMethodRun;
  /** It answers a stream: `run` returns an async iterable, best an `async function*`. */
  readonly answersStream?: boolean;
  /** How many streams the client uploads with the call. Default 0. */
  readonly uploads?: number;
  /** Who may call it; anything but `true` is a no, a promise too. Default: everybody who is connected. */
  readonly mayCall?: (principal: Principal) => boolean;
}

/** A method of a hub: the function alone, or with options. */
export type HubMethod = HubMethodRun | HubMethodOptions;

/** The explicit allow-list of a hub's methods. Clients may write a name in any case, as with ASP.NET. */
export type HubMethods = Readonly<Record<string, HubMethod>>;

/** A method with everything said. */
export type CallableMethod = Required<HubMethodOptions>;

/** Reads the allow-list. Throws where two names differ by case alone. */
export function methodTable(methods: HubMethods): ReadonlyMap<string, CallableMethod> {
  const table = new Map<string, CallableMethod>();
  for (const [name, method] of Object.entries(methods)) {
    const key = name.toLowerCase();
    if (table.has(key)) throw new Error(`Hub method "${name}": another one differs by case alone.`);
    const options = typeof method === 'function' ? { run: method } : method;
    table.set(key, { answersStream: false, uploads: 0, mayCall: () => true, ...options });
  }
  return table;
}
