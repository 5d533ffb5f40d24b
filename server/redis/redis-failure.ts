import { StoreUnavailable } from '../../core/index.ts';

/**
 * States of Redis that pass: also found inside the text of a script error (Redis 6 wraps them). A cluster's client that
 * gave up following redirections names the last one, MOVED as a rule: the slot is on its way to another node.
 */
const PASSING =
  /\b(READONLY|OOM|MISCONF|NOREPLICAS|BUSY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b|Too many Cluster redirections/;

/** Faults of the set-up or of the scripts: waiting does not help, somebody must change something. */
const SETUP =
  /\b(NOPERM|NOAUTH|WRONGPASS|CROSSSLOT|MOVED|WRONGTYPE)\b|cluster support disabled|unknown command|user_script|(running|compiling) script|script attempted|lua\/[\w-]+\.lua/i;

/** What ioredis says of a connection that Redis refused: the reason came before, as an `error` event. */
const CONNECTION_LOST =
  /Connection is closed|Stream isn't writeable|MaxRetriesPerRequest|max retries per request/i;

/**
 * Turns whatever a call to Redis failed with into the one failure that callers know, in Redis' own words.
 * `lastError` is the connection's last `error` event: a refused password or a full server shows up only there.
 */
export function redisFailure(error: unknown, lastError: Error | null): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const said = error instanceof Error ? error.message : String(error);
  const message = CONNECTION_LOST.test(said) && lastError !== null ? reasonOf(lastError) : said;
  return new StoreUnavailable(message, { cause: error, setupFault: isSetupFault(message) });
}

/** True for a refusal that only a change of the set-up ends. */
export function isSetupFault(message: string): boolean {
  return !PASSING.test(message) && SETUP.test(message);
}

/** True where Redis did not answer in time. */
export function isSilence(message: string): boolean {
  return /timed out/i.test(message);
}

/**
 * True where a cluster's client was led nowhere, for 0.1 to 0.2 s: its master is gone, or this entity's slot is under
 * way. The words do not tell which.
 */
export function isMisled(message: string): boolean {
  return message.includes('Too many Cluster redirections');
}

/** The words of a connection error; an `AggregateError` (several addresses were tried) has none of its own. */
export function reasonOf(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
