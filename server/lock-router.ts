import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import { LockError, MAX_BODY_BYTES, answerLockRequest, type LockService, type Log } from '../core/index.ts';
import { callerOf, type Identify } from './identify.ts';
import type { OriginRule } from './origin-rule.ts';
import type { CountCall } from './rate-budgets.ts';
import { sendAnswer, sendFailure } from './send-answer.ts';

export interface LockRouterOptions {
  readonly service: LockService;
  readonly identify: Identify;
  readonly origins: OriginRule;
  readonly log: Log;
  /** Counts each call against its caller's budget. Default: nobody is counted. */
  readonly countCall?: CountCall;
}

// Always as text, so that core reads the JSON and says what is wrong with it.
const textBody: RequestHandler = express.text({ type: () => true, limit: MAX_BODY_BYTES });

/**
 * The lock API as an Express router, to be mounted at its base (`app.use("/api", router)`). Answers everything below
 * `/locks` there, unknown routes with a 404 problem; leaves all other paths to the application.
 */
export function lockRouter(options: LockRouterOptions): Router {
  const router = Router();
  const answer: RequestHandler = (request, response, next) => {
    if (/^\/locks(?:[/?]|$)/.test(request.url)) void answerRequest(options, request, response);
    else next();
  };
  return router.use(answer);
}

async function answerRequest(
  options: LockRouterOptions,
  request: Request,
  response: Response,
): Promise<void> {
  const { service, identify, origins, log, countCall } = options;
  if (origins.answer(request, response)) return;
  try {
    if (origins.isForged(request)) {
      const detail = 'Pages of this origin may not change locks here. Add it to "allowedOrigins".';
      throw new LockError('origin-not-allowed', detail);
    }
    // Before the body: nobody's megabytes are read for nothing.
    const principal = await callerOf(identify, request);
    await countCall?.(request, response, principal);
    const body = await readBody(request, response);
    const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
    const call = { method: request.method, path, query: readQuery(query), body, principal };
    sendAnswer(response, await answerLockRequest(service, call));
  } catch (error) {
    sendFailure(request, response, error, log);
  }
}

/** The body's text. An application that has parsed JSON before us is fine: it is written out again. */
function readBody(request: Request, response: Response): Promise<string> {
  return new Promise((resolve, reject) => {
    textBody(request, response, (error?: unknown) => {
      if (error !== undefined) {
        reject(bodyError(error));
        return;
      }
      const body: unknown = request.body;
      resolve(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
    });
  });
}

/** What Express' parser meets is of the caller's making, but for a request that ended half-way. */
function bodyError(cause: unknown): LockError {
  const type = cause instanceof Error && 'type' in cause ? cause.type : undefined;
  if (type === 'entity.too.large') {
    return new LockError('too-large', `body: expected at most ${MAX_BODY_BYTES} bytes.`, { cause });
  }
  return new LockError('bad-request', 'body: expected JSON in UTF-8, complete and in a known encoding.', {
    field: 'body',
    cause,
  });
}

/** A parameter that is given twice becomes a list, which the API refuses. */
function readQuery(text: string): Record<string, unknown> {
  const query = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
