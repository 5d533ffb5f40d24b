import type { Request } from 'express';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LeaseAnswer, LockStore, Log } from '../../core/index.ts';
import { redisBackend, type RedisBackendOptions } from '../../server/index.ts';
import { prometheusMetrics } from '../../server/metrics/index.ts';
import { startNode } from './rowlock-node.ts';
import { tokenFor, type TestUser } from './test-tokens.ts';

const TICK_MS = 50;
/** `/readyz` and `/metrics` are read with every so many ticks. */
const TICKS_PER_PROBE = 2;

const NOTHING: Readonly<Record<string, unknown>> = {};

/** One request of the load, as it was answered. Moments are milliseconds of the machine's clock. */
export interface LoadedRequest {
  readonly kind: 'claim' | 'renewal' | 'list' | 'write' | 'control';
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  readonly tookMs: number;
  /** 0 where the connection failed. */
  readonly status: number;
  /** What a claim or renewal came to; `ok` or `unavailable` for a list. */
  readonly outcome: string;
  /** Of a claim: its entity, which nobody else ever asks for. Its session is the same word. */
  readonly uid: string;
}

/** What a node said of its store. */
export interface StoreProbe {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** Of `/readyz`. */
  readonly state: string;
  /** `rowlock_store_up` of `/metrics`. */
  readonly up: number;
}

/**
 * A node with a steady load of claims, renewals, lists and guarded writes, 80 requests a second. Beside them goes a
 * control: a claim of no lockable type, which is refused (400) before any store is asked. What it takes is what HTTP, the
 * token and this machine take at the moment.
 */
export interface FaultLoad {
  readonly requests: readonly LoadedRequest[];
  readonly probes: readonly StoreProbe[];
  /** Warnings and errors of the node's log, with their moments. */
  readonly complaints: readonly { readonly atMs: number; readonly reason: string }[];
  /** When the store's answer to a claim was known in the node: nothing may be carried out after that. */
  decidedAtMs(uid: string): number | undefined;
  /** The longest that this very process kept its timers waiting, in milliseconds: no fault of the store's. */
  ownDelayMs(): number;
  /** Claims once more with the same session. */
  claimAgain(uid: string): Promise<LeaseAnswer>;
  /** Ends the load and resolves when everything that was asked has its answer; the node stays. */
  endLoad(): Promise<void>;
  stop(): Promise<void>;
}

export interface FaultLoadOptions {
  /** Where the node finds its Redis. */
  readonly target: RedisBackendOptions;
  readonly user: TestUser;
}

/** Resolves when the node answers; the load begins at once. */
export async function startFaultLoad({ target, user }: FaultLoadOptions): Promise<FaultLoad> {
  const complaints: { atMs: number; reason: string }[] = [];
  const complain: Log['warn'] = (message, details) =>
    void complaints.push({ atMs: Date.now(), reason: `${message} ${JSON.stringify(details ?? {})}` });
  const log: Log = { info() {}, warn: complain, error: complain };
  const decided = new Map<string, number>();
  const backend = redisBackend({ ...target, log });
  const metrics = prometheusMetrics();
  const node = await startNode({
    backend: { ...backend, store: notingClaims(backend.store, decided) },
    log,
    metrics,
    // One user stands for an office.
    maxLocksPerHolder: 100_000,
    rateLimits: false,
    routes: (app, { guardWrites }) => {
      app.use(metrics.router);
      const uid = (request: Request) => request.params['id'];
      app.put('/requests/:id', guardWrites({ type: 'ApprovalRequest', uid }), (_request, response) => {
        response.json({ ok: true });
      });
    },
  });
  const token = await tokenFor(user);
  const requests: LoadedRequest[] = [];
  const probes: StoreProbe[] = [];
  const prefix = Math.random().toString(36).slice(2);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();

  const ask = async (kind: LoadedRequest['kind'], method: string, path: string, body?: object, uid = '') => {
    const askedAtMs = Date.now();
    const startedMs = performance.now();
    const { status, json } = await node
      .call(method, path, { as: token, ...(body === undefined ? {} : { body }) })
      .catch(() => ({ status: 0, json: NOTHING })); // counted as a failure
    const tookMs = performance.now() - startedMs;
    const { outcome = '' } = (kind === 'list' ? { outcome: json['store'] } : json) as { outcome?: string };
    requests.push({ kind, askedAtMs, answeredAtMs: Date.now(), tookMs, status, outcome, uid });
    return json;
  };
  const claimPath = (uid: string) => `/api/locks/ApprovalRequest/${uid}/claim`;
  /** What a page knows of the lock that it renews; it claims anew where it has none yet. */
  let fence: number | undefined;
  const keep = async () => {
    const verb = fence === undefined ? 'claim' : 'renew';
    const body = { sessionId: 'kept', ...(fence === undefined ? {} : { fence }) };
    const { lock } = (await ask('renewal', 'POST', `/api/locks/Invoice/kept/${verb}`, body)) as {
      lock?: { readonly fence: number } | null;
    };
    fence = lock?.fence ?? fence;
  };
  const probe = async () => {
    const askedAtMs = Date.now();
    const [ready, metered] = await Promise.all(
      ['/readyz', '/metrics'].map((path) => node.call('GET', path, { as: null })),
    );
    const { state = '' } = (ready?.json['store'] ?? {}) as { state?: string };
    const up = Number(/^rowlock_store_up (\d)$/m.exec(metered?.text ?? '')?.[1]);
    probes.push({ askedAtMs, answeredAtMs: Date.now(), state, up });
  };
  const open = new Set<Promise<unknown>>();
  const track = (call: Promise<unknown>) => {
    open.add(call);
    void call.finally(() => open.delete(call));
  };
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    const uid = `${prefix}-${ticks}`;
    track(ask('claim', 'POST', claimPath(uid), { sessionId: uid }, uid));
    track(keep());
    track(ask('list', 'GET', '/api/locks/Invoice'));
    track(ask('write', 'PUT', '/requests/free'));
    track(ask('control', 'POST', '/api/locks/NoSuchType/x/claim', { sessionId: 's1' }));
    if (ticks % TICKS_PER_PROBE === 0) track(probe());
  }, TICK_MS);
  const endLoad = async () => {
    clearInterval(timer);
    await Promise.all(open);
    delay.disable();
  };
  return {
    requests,
    probes,
    complaints,
    decidedAtMs: (uid) => decided.get(uid),
    ownDelayMs: () => delay.max / 1e6,
    async claimAgain(uid) {
      const { json } = await node.call('POST', claimPath(uid), { as: token, body: { sessionId: uid } });
      return json as unknown as LeaseAnswer;
    },
    endLoad,
    async stop() {
      await endLoad();
      await node.stop();
    },
  };
}

/** The same store; notes when each claim was settled. */
function notingClaims(store: LockStore, decided: Map<string, number>): LockStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'claim') {
        return (step: Parameters<LockStore['claim']>[0]) =>
          target.claim(step).finally(() => decided.set(step.ref.entityUid, Date.now()));
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
