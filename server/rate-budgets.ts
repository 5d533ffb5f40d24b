import { rateLimit, type Options } from 'express-rate-limit';
import type { Request, Response } from 'express';
import { LockError, type Log, type Principal } from '../core/index.ts';

/** How many calls of the lock API one user may make in a minute, on one node. */
export interface RateLimits {
  /** Claims and take-overs: opening forms. */
  readonly claimsPerMinute: number;
  /** Renewals and releases: a budget of their own, so that opening much never costs what is held already. */
  readonly upkeepPerMinute: number;
  /** Lists and single reads: grids. */
  readonly readsPerMinute: number;
}

/**
 * Far above what people do (a form is opened every few seconds, renewed every two minutes, a grid is read once), and
 * far below what a loop does.
 */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  claimsPerMinute: 600,
  upkeepPerMinute: 1_200,
  readsPerMinute: 1_200,
};

const WINDOW_MS = 60_000;

type Budget = 'claims' | 'upkeep' | 'reads';

/** Counts a call against its user's budget. Rejects with `LockError("too-many-requests")`; the answer says when to come back. */
export type CountCall = (request: Request, response: Response, principal: Principal) => Promise<void>;

/**
 * Rate budgets by user, in this process' memory. Throws a RangeError that names the option for anything but a whole
 * number above 0. `null` counts nothing.
 */
export function rateBudgets(given: Partial<RateLimits> | null, log: Log): CountCall {
  if (given === null) return () => Promise.resolve();
  const limits = { ...DEFAULT_RATE_LIMITS, ...given };
  for (const [option, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value > 0)) {
      throw new RangeError(`rateLimits.${option}: expected a whole number above 0, got ${String(value)}.`);
    }
  }
  const callers = new WeakMap<object, string>();
  const budget = (limit: number) => rateLimit(settings(limit, callers, log));
  const budgets = {
    claims: budget(limits.claimsPerMinute),
    upkeep: budget(limits.upkeepPerMinute),
    reads: budget(limits.readsPerMinute),
  };
  return (request, response, { tenant, oid }) => {
    callers.set(request, JSON.stringify([tenant, oid]));
    return new Promise((resolve, reject) => {
      const next = (error?: unknown) => {
        if (error instanceof LockError) reject(error);
        else resolve(); // whatever else goes wrong with counting holds nobody up
      };
      Promise.resolve(budgets[budgetOf(request)](request, response, next)).catch(next);
    });
  };
}

function settings(limit: number, callers: WeakMap<object, string>, log: Log): Partial<Options> {
  return {
    windowMs: WINDOW_MS,
    limit,
    // `Retry-After` and the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers.
    standardHeaders: 'draft-7',
    legacyHeaders: false,
    keyGenerator: (request) => callers.get(request) ?? '',
    handler: (_request, _response, next) => {
      next(new LockError('too-many-requests', 'You are calling too often. Come back a little later.'));
    },
    // The caller is who the token names, not an address: the library's checks of proxies do not apply.
    validate: false,
    passOnStoreError: true,
    logger: {
      error: (error: unknown) => log.error('Calls cannot be counted.', { reason: String(error) }),
      warn: (error: unknown) => log.warn('Calls cannot be counted.', { reason: String(error) }),
    },
  };
}

function budgetOf({ method, url }: Request): Budget {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' || /^[^?]*\/renew\/?(?:\?|$)/.test(url) ? 'upkeep' : 'claims';
}
