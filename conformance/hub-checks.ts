import { LOCK_OPERATIONS, type EntityChange } from '../core/index.ts';
import type { ConformanceCheck } from './conformance-check.ts';
import { expectSame, expectThat } from './mismatch.ts';

/** Section 9. What must not be heard is proved by what is heard after it. */
export const hubChecks: readonly ConformanceCheck[] = [
  {
    id: '9 hub: no token, no connection',
    needs: ['hub'],
    async run({ listen }) {
      const isLetIn = await listen(null).then(
        () => true,
        () => false,
      );
      expectThat(!isLetIn, 'a connection without a token to be refused');
    },
  },
  {
    id: '9 hub: Acquired and Released are heard, with the lock',
    needs: ['hub'],
    async run({ anna, ben, listen, newRef, options }) {
      const ref = newRef();
      const ear = await listen(ben);
      await ear.subscribe([options.entityType]);
      const { me } = await anna.claim(ref);
      await anna.release(ref);
      for (const operation of ['Acquired', 'Released']) {
        const change = await ear.hear(ref.entityUid, operation);
        expectSame('entityType', change.entityType, ref.entityType);
        expectSame(`the holder in ${operation}`, lockOf(change)?.holderOid, me?.holderOid);
      }
    },
  },
  {
    id: '9 hub: a take-over is heard, and names the new holder',
    needs: ['hub', 'takeOver'],
    async run({ anna, ben, listen, newRef, options }) {
      const ref = newRef();
      const ear = await listen(anna);
      await ear.subscribe([options.entityType]);
      const { me } = await anna.claim(ref);
      const taken = await ben.takeOver(ref, { fromHolderOid: me?.holderOid });
      const change = await ear.hear(ref.entityUid, 'TakenOver');
      expectSame('the new holder', lockOf(change)?.holderOid, taken.me?.holderOid);
    },
  },
  {
    id: '9 hub: changes of one record come in the order of fence and at',
    needs: ['hub', 'fence'],
    async run({ anna, ben, listen, newRef, options }) {
      const ref = newRef();
      const ear = await listen(ben);
      await ear.subscribe([options.entityType]);
      await anna.claim(ref);
      await anna.claim(ref);
      await anna.release(ref);
      await ben.claim(ref);
      await ben.release(ref);
      const last = newRef();
      await anna.claim(last);
      await ear.hear(last.entityUid, 'Acquired');
      const changes = ear.heard.filter(
        ({ entityUid, operation }) =>
          entityUid === ref.entityUid && (LOCK_OPERATIONS as readonly string[]).includes(operation),
      );
      expectSame(
        'the operations heard',
        changes.map(({ operation }) => operation).filter((operation) => operation !== 'Renewed'),
        ['Acquired', 'Released', 'Acquired', 'Released'],
      );
      const order = changes.map((change) => ({ fence: fenceOf(change), at: change.at }));
      expectThat(
        order.every((now, at) => {
          const before = order[at - 1];
          return (
            before === undefined ||
            now.fence > before.fence ||
            (now.fence === before.fence && now.at > before.at)
          );
        }),
        'fence and at that only grow',
        order,
      );
    },
  },
  {
    id: '9 hub: only the types that were asked for are heard',
    needs: ['hub', 'subscribe', 'otherType'],
    async run({ anna, ben, listen, newRef, options }) {
      const ear = await listen(ben);
      await ear.subscribe([options.entityType]);
      const unwanted = newRef(options.otherType);
      const wanted = newRef();
      await anna.claim(unwanted);
      await anna.claim(wanted);
      await ear.hear(wanted.entityUid, 'Acquired');
      const uids = ear.heard.map(({ entityUid }) => entityUid);
      expectThat(!uids.includes(unwanted.entityUid), `nothing of ${options.otherType ?? ''}`, uids);
    },
  },
  {
    id: '9 hub: another tenant’s changes are never heard, whatever is asked for',
    needs: ['hub', 'otherTenant'],
    async run({ anna, carla, listen, newRef, options }) {
      const ear = await listen(carla);
      await ear.subscribe([options.entityType]);
      const theirs = newRef();
      const own = newRef();
      await anna.claim(theirs);
      await carla.claim(own);
      await ear.hear(own.entityUid, 'Acquired');
      const uids = ear.heard.map(({ entityUid }) => entityUid);
      expectThat(!uids.includes(theirs.entityUid), 'nothing of another tenant', uids);
    },
  },
  {
    id: '9 hub: an unknown method is an error, and the connection lives on',
    needs: ['hub'],
    async run({ anna, ben, listen, newRef, options }) {
      const ear = await listen(ben);
      const isAccepted = await ear.invoke('NoSuchMethod', 1).then(
        () => true,
        () => false,
      );
      expectThat(!isAccepted, 'an unknown method to be refused');
      await ear.subscribe([options.entityType]);
      const ref = newRef();
      await anna.claim(ref);
      await ear.hear(ref.entityUid, 'Acquired');
    },
  },
];

function lockOf(change: EntityChange): { readonly holderOid?: string } | undefined {
  return 'lock' in change ? change.lock : undefined;
}

function fenceOf(change: EntityChange): number {
  return 'fence' in change ? change.fence : Number.NaN;
}
