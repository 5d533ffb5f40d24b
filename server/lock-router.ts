import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  API_DOCUMENT_PATH,
  LockError,
  answerLockRequest,
  type LockService,
  type Log,
} from '../core/index.ts';
import { putAnswerHeaders } from './answer-headers.ts';
import { sendApiDocument } from './api-document.ts';
import { callerOf, type Identify } from './identify.ts';
import type { OriginRule } from './origin-rule.ts';
import type { CountCall } from './rate-budgets.ts';
import { readJsonText } from './read-json-text.ts';
import { endUnreadRequest, sendAnswer, sendFailure } from './send-answer.ts';

/** A body of this API is a line of JSON: longer than this, in milliseconds, it takes only on purpose. */
const BODY_WITHIN_MS = 10_000;

/** What the routes are made of. */
export interface LockRouterOptions {
  /** The policy. */
  readonly service: LockService;
  /** Who calls. */
  readonly identify: Identify;
  /** Whose pages may call. */
  readonly origins: OriginRule;
  /** Hears of what goes wrong. */
  readonly log: Log;
  /** Counts each call against its caller's budget. Default: nobody is counted. */
  readonly countCall?: CountCall;
  /** How long a request's body may take to arrive, in milliseconds. Default 10,000. */
  readonly bodyWithinMs?: number;
}

/**
 * The lock API as an Express router, to be mounted at its base (`app.use("/api", router)`). Answers `/openapi.json` and
 * everything below `/locks` there, unknown routes with a 404 problem; leaves all other paths to the application.
 */
export function lockRouter(options: LockRouterOptions): Router {
  const router = Router();
  const answer: RequestHandler = (request, response, next) => {
    const { url } = request;
    if (/^\/locks(?:[/?]|$)/.test(url)) void answerRequest(options, request, response);
    else if (url.split('?', 1)[0] === API_DOCUMENT_PATH) {
      if (!options.origins.answer(request, response)) sendApiDocument(request, response);
    } else next();
  };
  return router.use(answer);
}

async function answerRequest(
  options: LockRouterOptions,
  request: Request,
  response: Response,
): Promise<void> {
  const { service, identify, origins, log, countCall, bodyWithinMs = BODY_WITHIN_MS } = options;
  putAnswerHeaders(response);
  if (origins.answer(request, response)) return;
  try {
    if (origins.isForged(request)) {
      const detail = 'Pages of this origin may not change locks here. Add it to "allowedOrigins".';
      throw new LockError('origin-not-allowed', detail);
    }
    // Before the body: nobody's megabytes are read for nothing.
    const principal = await callerOf(identify, request);
    await countCall?.(request, response, principal);
    const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
    const { method } = request;
    const body = method === 'GET' || method === 'HEAD' ? '' : await readJsonText(request, bodyWithinMs);
    sendAnswer(
      response,
      await answerLockRequest(service, { method, path, query: readQuery(query), body, principal }),
    );
  } catch (error) {
    sendFailure(request, response, error, log);
  }
  endUnreadRequest(request);
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
