import type { LockStore, LockTarget } from '../../core/index.ts';
import type { Rowlock } from '../../server/index.ts';
import type { BackendFault } from '../support/tampered-node.ts';

interface SeededFault {
  readonly fault: BackendFault;
  /** The whole id of a check that must fail. */
  readonly found: string;
}

/** Tenants are not told apart. */
const oneTenant = <Target extends LockTarget>(target: Target): Target => ({ ...target, tenant: 'all' });
const isFirstPage = (page: Parameters<LockStore['list']>[2]) => page.cursor === undefined;

const withoutFence: NonNullable<BackendFault['instead']> = (request, _, next) => {
  delete request.headers['lock-fence'];
  next();
};

function guard(rowlock: Rowlock, options: { readonly publishChange?: boolean } = {}) {
  return rowlock.guardWrites({ type: 'ApprovalRequest', uid: ({ params }) => params['uid'], ...options });
}

/** A feed that keeps some changes to itself. */
function hearing(
  isTold: (change: { readonly operation: string }) => boolean,
): NonNullable<BackendFault['feed']> {
  return ({ feed }) => ({
    onChange: (listener) =>
      feed.onChange((tenant, change) => {
        if (isTold(change)) listener(tenant, change);
      }),
  });
}

/** The lock of an answer, whichever kind it is. */
export function lockIn(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const [first] = Array.isArray(body['locks']) ? (body['locks'] as unknown[]) : [];
  return (body['lock'] ?? first ?? undefined) as Record<string, unknown> | undefined;
}

/** Backends that do one thing wrongly each, by what they do. */
export const BACKEND_FAULTS: Readonly<Record<string, SeededFault>> = {
  'a claim takes what another holds': {
    fault: {
      store: (store) => ({
        claim: async (step) => {
          const { lock } = await store.read(step);
          return lock === null
            ? store.claim(step)
            : store.takeOver({ ...step, fromHolderOid: lock.holderOid });
        },
      }),
    },
    found: '7 claim: another user is told who holds it, and does not get it',
  },
  'a claim reads first and writes later': {
    fault: {
      store: (store) => ({
        claim: async (step) => {
          const { lock } = await store.read(step);
          await new Promise((resolve) => setTimeout(resolve, 50)); // the fault itself
          if (lock !== null) return store.claim(step);
          const now = await store.read(step);
          const from = now.lock?.holderOid ?? step.holder.oid;
          return store.takeOver({ ...step, fromHolderOid: from });
        },
      }),
    },
    found: '7 claim: of many at once, one person gets it and everybody names that person',
  },
  'dates without Z': {
    fault: {
      answer: ({ body }) => {
        const lock = lockIn(body);
        if (lock) lock['expiresAtUtc'] = String(lock['expiresAtUtc']).replace('Z', '');
      },
    },
    found: '7 claim: a free record is acquired, with the six fields of its lock',
  },
  'a renewal claims what was let go': {
    fault: { store: (store) => ({ renew: (step) => store.claim(step) }) },
    found: '7 renew: what was let go is lost, and is not claimed again by that',
  },
  'a renewal adds a session': {
    fault: { store: (store) => ({ renew: (step) => store.claim(step) }) },
    found: '7 renew: a session that was never acquired is not added',
  },
  'changed is never true': {
    fault: {
      answer: ({ body }) => {
        if ('changed' in body) body['changed'] = false;
      },
    },
    found: '7 claim: changed is true when another person had the record meanwhile, and the fence has grown',
  },
  'a release ends all sessions': {
    fault: { store: (store) => ({ release: (step) => store.release({ ...step, sessionId: null }) }) },
    found: '7 release: of two sessions one lets go, and the lock stays for the other',
  },
  'anybody’s release frees a lock': {
    fault: {
      store: (store) => ({
        release: async (step) => {
          const { lock } = await store.read(step);
          return store.release({ ...step, sessionId: null, holderOid: lock?.holderOid ?? step.holderOid });
        },
      }),
    },
    found: '7 release: once more is "gone", and frees nobody else’s lock',
  },
  'a take-over does not ask from whom': {
    fault: {
      store: (store) => ({
        takeOver: async (step) => {
          const { lock } = await store.read(step);
          return store.takeOver({ ...step, fromHolderOid: lock?.holderOid ?? '' });
        },
      }),
    },
    found: '7 take-over: from somebody who does not hold it any more: held, with the lock that stands',
  },
  'a grace is forgotten': {
    fault: { store: (store) => ({ release: (step) => store.release({ ...step, graceMs: 0 }) }) },
    found: '7 release: with a grace nobody slips in, and the same person comes back',
  },
  'the second page of a list is empty': {
    fault: {
      store: (store) => ({
        list: async (tenant, type, page) => {
          const found = await store.list(tenant, type, page);
          return isFirstPage(page) ? found : { locks: [], asOf: found.asOf };
        },
      }),
    },
    found: '7 read: lists come in pages that leave nothing out',
  },
  'reading renews': {
    fault: {
      answer: ({ body }, request) => {
        const lock = request.method === 'GET' ? lockIn(body) : undefined;
        if (lock) lock['expiresInMs'] = Number(lock['expiresInMs']) + 60_000;
      },
    },
    found: '7 read: reading changes nothing',
  },
  'caches may keep answers': {
    fault: {
      answer: ({ headers }) => {
        headers['Cache-Control'] = 'max-age=60';
      },
    },
    found: '7 read: no cache keeps an answer',
  },
  'an unknown type is locked as if it were known': {
    fault: {
      instead: (request, response, next) => {
        if (request.path.includes('NobodyRegisteredThis')) response.json({ outcome: 'acquired' });
        else next();
      },
    },
    found: '7 refused: a type that nobody made lockable, loudly',
  },
  'lists are open to everybody': {
    fault: {
      instead: (request, response, next) => {
        if (request.method === 'GET' && request.headers.authorization === undefined)
          response.json({ locks: [] });
        else next();
      },
    },
    found: '7 refused: no token, and one that does not verify',
  },
  'errors are no problem details': {
    fault: {
      answer: ({ status, headers }) => {
        if (status >= 400) headers['Content-Type'] = 'application/json';
      },
    },
    found: '7 refused: a body that is not JSON, or has fields of a wrong kind, with the field’s name',
  },
  'a large body is a fault of the server': {
    fault: {
      answer: (answer) => {
        if (answer.status === 413) answer.status = 500;
      },
    },
    found: '7 refused: a body far too large',
  },
  'a body’s holder is believed': {
    fault: {
      instead: (request, response, next) => {
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        if (!request.path.endsWith('/claim')) {
          next();
          return;
        }
        request.on('end', () => {
          const { holderOid } = JSON.parse(text) as { holderOid?: string };
          response.json({ outcome: 'acquired', lock: { holderOid }, me: { holderOid } });
        });
      },
    },
    found: '7 identity: comes from the token, and never from a body',
  },
  'automation may claim': {
    fault: {
      instead: (request, response, next) => {
        const [, payload = ''] = (request.headers.authorization ?? '').split('.');
        if (Buffer.from(payload, 'base64url').includes('"idtyp":"app"'))
          response.json({ outcome: 'acquired' });
        else next();
      },
    },
    found: '7 automation: never claims',
  },
  'tenants share their locks': {
    fault: {
      store: (store) => ({
        claim: (step) => store.claim(oneTenant(step)),
        renew: (step) => store.renew(oneTenant(step)),
        release: (step) => store.release(oneTenant(step)),
        read: (target) => store.read(oneTenant(target)),
        list: (_, type, page) => store.list('all', type, page),
      }),
    },
    found: '7 isolation: another tenant sees nothing, and has records of its own under the same names',
  },
  'a write is not guarded': {
    fault: { write: () => [] },
    found: '8 write: another user’s live lock: 409 entity-locked, with the lock',
  },
  'a write does not look at the fence': {
    fault: { write: (rowlock) => [withoutFence, guard(rowlock)] },
    found: '8 write: a stale Lock-Fence: 409 stale-fence; the present one proceeds',
  },
  'a malformed fence is taken for none': {
    fault: { write: (rowlock) => [withoutFence, guard(rowlock)] },
    found: '8 write: a malformed Lock-Fence is a 400',
  },
  'a write tells nobody': {
    fault: { write: (rowlock) => [guard(rowlock, { publishChange: false })] },
    found: '8 write: whoever waits hears that the data changed, and by whom',
  },
  'releases are not told': {
    fault: { feed: hearing((change) => change.operation !== 'Released') },
    found: '9 hub: Acquired and Released are heard, with the lock',
  },
  'take-overs are not told': {
    fault: { feed: hearing((change) => change.operation !== 'TakenOver') },
    found: '9 hub: a take-over is heard, and names the new holder',
  },
  'every tenant hears everything': {
    fault: {
      feed: ({ feed }) => ({
        onChange: (listener) =>
          feed.onChange((_, change) => {
            for (const tenant of ['tenant-a', 'tenant-b']) listener(tenant, change);
          }),
      }),
    },
    found: '9 hub: another tenant’s changes are never heard, whatever is asked for',
  },
};
