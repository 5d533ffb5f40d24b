import type { ConformanceCheck } from './conformance-check.ts';
import { expectSame, expectThat } from './mismatch.ts';

/** A UTC date as the stored record has it. */
const UTC_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Enough to find a race in a backend that reads before it writes. */
const RACERS = 20;

/** Section 7, `POST …/claim` and `…/renew`. */
export const claimChecks: readonly ConformanceCheck[] = [
  {
    id: '7 claim: a free record is acquired, with the six fields of its lock',
    async run({ anna, newRef }) {
      const ref = newRef();
      const answer = await anna.claim(ref);
      const { outcome, lock, me, renewAfterMs, canTakeOver, otherSessions } = answer;
      expectSame('outcome', outcome, 'acquired');
      expectThat(typeof lock === 'object' && lock !== null, 'the lock in the answer', answer);
      expectSame('entityType', lock.entityType, ref.entityType);
      expectSame('entityUid', lock.entityUid, ref.entityUid);
      expectThat(lock.holderOid !== '' && lock.holderOid === me?.holderOid, 'me to be its holder', {
        me,
        holderOid: lock.holderOid,
      });
      expectThat(
        typeof lock.holderName === 'string' && lock.holderName !== '',
        'a holderName',
        lock.holderName,
      );
      const [since = '', until = ''] = [lock.acquiredAtUtc, lock.expiresAtUtc];
      for (const date of [since, until]) {
        expectThat(UTC_DATE.test(date), 'ISO-8601 dates in UTC with Z', date);
      }
      expectThat(Date.parse(until) > Date.parse(since), 'an end after the start', lock);
      expectThat(Number(renewAfterMs) > 0, 'renewAfterMs > 0', renewAfterMs);
      expectThat(typeof canTakeOver === 'boolean', 'canTakeOver true or false', canTakeOver);
      expectSame('otherSessions', otherSessions, 0);
    },
  },
  {
    id: '7 claim: what is left of the lease is said in milliseconds, and is longer than the time to renew',
    needs: ['remainingMs'],
    async run({ anna, newRef }) {
      const { lock, renewAfterMs } = await anna.claim(newRef());
      const [left, renewal] = [Number(lock?.expiresInMs), Number(renewAfterMs)];
      expectThat(left > renewal, `expiresInMs > renewAfterMs (${renewal})`, left);
    },
  },
  {
    id: '7 claim: the holder claims again: acquired, and acquiredAtUtc stays',
    async run({ anna, newRef }) {
      const ref = newRef();
      const first = await anna.claim(ref, { sessionId: 's1' });
      const again = await anna.claim(ref, { sessionId: 's1', fence: first.lock?.fence });
      expectSame('outcome', again.outcome, 'acquired');
      expectSame('acquiredAtUtc', again.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
      expectThat(again.changed !== true, 'changed not to be true: nobody else had it', again.changed);
    },
  },
  {
    id: '7 claim: another user is told who holds it, and does not get it',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref);
      const { outcome, lock: seen, canTakeOver, me } = await ben.claim(ref);
      expectSame('outcome', outcome, 'held');
      expectSame('the holder', seen?.holderOid, lock?.holderOid);
      expectThat(me?.holderOid !== lock?.holderOid, 'two people to have two object ids', me);
      expectThat(typeof canTakeOver === 'boolean', 'canTakeOver true or false', canTakeOver);
      expectSame('the holder in the end', (await anna.read(ref)).locks?.[0]?.holderOid, lock?.holderOid);
    },
  },
  {
    id: '7 claim: a request without a body works',
    async run({ anna, newRef }) {
      const { entityType, entityUid } = newRef();
      const answer = await anna.raw({ method: 'POST', path: `/locks/${entityType}/${entityUid}/claim` });
      expectSame('status and outcome', [answer.status, answer.json?.['outcome']], [200, 'acquired']);
      await anna.release({ entityType, entityUid });
    },
  },
  {
    id: '7 claim: of many at once, one person gets it and everybody names that person',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, at) =>
          (at % 2 === 0 ? anna : ben).claim(ref, { sessionId: `s${at}` }),
        ),
      );
      const holders = new Set(answers.map(({ lock }) => lock?.holderOid));
      expectSame('the number of holders named', holders.size, 1);
      const winners = new Set(
        answers.filter(({ outcome }) => outcome === 'acquired').map(({ me }) => me?.holderOid),
      );
      expectSame('who acquired it', [...winners], [...holders]);
    },
  },
  {
    id: '7 claim: uids with colons, braces, spaces, percent signs and umlauts are one record each',
    async run({ anna, newRef }) {
      const base = newRef();
      for (const tail of [':1', '{1}', ' 1', '%31', '/1', 'ü1']) {
        const ref = { ...base, entityUid: base.entityUid + tail };
        const { lock } = await anna.claim(ref);
        expectSame('entityUid', lock?.entityUid, ref.entityUid);
        expectSame('locks read', (await anna.read(ref)).locks?.length, 1);
      }
      expectSame('locks of the uid without a tail', (await anna.read(base)).locks?.length, 0);
    },
  },
  {
    id: '7 claim: two sessions of one person know of each other',
    needs: ['sessions'],
    async run({ anna, newRef }) {
      const ref = newRef();
      await anna.claim(ref, { sessionId: 's1' });
      expectSame('otherSessions', (await anna.claim(ref, { sessionId: 's2' })).otherSessions, 1);
    },
  },
  {
    id: '7 claim: changed is false while nobody else had the record',
    needs: ['fence'],
    async run({ anna, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref);
      await anna.release(ref);
      const again = await anna.claim(ref, { fence: lock?.fence });
      expectSame('changed', again.changed, false);
      expectSame('fence', again.lock?.fence, lock?.fence);
    },
  },
  {
    id: '7 claim: changed is true when another person had the record meanwhile, and the fence has grown',
    needs: ['fence'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref);
      await anna.release(ref);
      const between = await ben.claim(ref);
      await ben.release(ref);
      const again = await anna.claim(ref, { fence: lock?.fence });
      expectSame('changed', again.changed, true);
      const fences = [lock?.fence, between.lock?.fence, again.lock?.fence].map(Number);
      expectThat(
        fences.every(
          (fence, at) => Number.isSafeInteger(fence) && (at === 0 || fence > Number(fences[at - 1])),
        ),
        'fences that grow with each other holder',
        fences,
      );
    },
  },
  {
    id: '7 renew: the holder goes on',
    async run({ anna, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref, { sessionId: 's1' });
      const renewed = await anna.renew(ref, { sessionId: 's1', fence: lock?.fence });
      expectSame('outcome', renewed.outcome, 'acquired');
      expectSame('acquiredAtUtc', renewed.lock?.acquiredAtUtc, lock?.acquiredAtUtc);
    },
  },
  {
    id: '7 renew: another user is told who holds it',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref);
      const renewed = await ben.renew(ref);
      expectSame('outcome and holder', [renewed.outcome, renewed.lock?.holderOid], ['held', lock?.holderOid]);
    },
  },
  {
    id: '7 renew: what was let go is lost, and is not claimed again by that',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref, { sessionId: 's1' });
      await anna.release(ref, { sessionId: 's1' });
      expectSame('outcome', (await anna.renew(ref, { sessionId: 's1', fence: lock?.fence })).outcome, 'lost');
      expectSame('the outcome of another person’s claim', (await ben.claim(ref)).outcome, 'acquired');
    },
  },
  {
    id: '7 renew: a session that was never acquired is not added',
    needs: ['sessions'],
    async run({ anna, newRef }) {
      const ref = newRef();
      await anna.claim(ref, { sessionId: 's1' });
      expectSame('outcome', (await anna.renew(ref, { sessionId: 's2' })).outcome, 'lost');
    },
  },
];
