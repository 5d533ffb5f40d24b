import type { ConformanceCheck } from './conformance-check.ts';
import { expectSame, expectThat } from './mismatch.ts';
import { untilTrue } from './until-true.ts';

/** A grace that a check can wait for, in milliseconds. */
const GRACE_MS = 1_000;

/** Section 7, `DELETE …` and `POST …/take-over`. */
export const releaseChecks: readonly ConformanceCheck[] = [
  {
    id: '7 release: the holder lets go, and the record is free for others',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      await anna.claim(ref);
      expectSame('outcome', (await anna.release(ref)).outcome, 'released');
      expectSame('locks read', (await anna.read(ref)).locks?.length, 0);
      expectSame('the outcome of another person’s claim', (await ben.claim(ref)).outcome, 'acquired');
    },
  },
  {
    id: '7 release: once more is "gone", and frees nobody else’s lock',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      await anna.claim(ref);
      await anna.release(ref);
      expectSame('outcome', (await anna.release(ref)).outcome, 'gone');
      const { lock } = await ben.claim(ref);
      expectSame('the outcome of a late release', (await anna.release(ref)).outcome, 'held');
      expectSame('the holder', (await anna.read(ref)).locks?.[0]?.holderOid, lock?.holderOid);
    },
  },
  {
    id: '7 release: of two sessions one lets go, and the lock stays for the other',
    needs: ['sessions'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      await anna.claim(ref, { sessionId: 's1' });
      await anna.claim(ref, { sessionId: 's2' });
      expectSame('outcome', (await anna.release(ref, { sessionId: 's1' })).outcome, 'kept');
      expectSame('another person’s claim', (await ben.claim(ref)).outcome, 'held');
      expectSame('outcome', (await anna.release(ref, { sessionId: 's2' })).outcome, 'released');
    },
  },
  {
    id: '7 release: a session that was never acquired lets nothing go',
    needs: ['sessions'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      await anna.claim(ref, { sessionId: 's1' });
      await anna.release(ref, { sessionId: 's2' });
      expectSame('another person’s claim', (await ben.claim(ref)).outcome, 'held');
    },
  },
  {
    id: '7 release: with a grace nobody slips in, and the same person comes back',
    needs: ['grace'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref, { sessionId: 's1' });
      await anna.release(ref, { sessionId: 's1', graceMs: 5_000 });
      expectSame('another person’s claim', (await ben.claim(ref)).outcome, 'held');
      const back = await anna.claim(ref, { sessionId: 's2', fence: lock?.fence });
      expectSame('outcome and fence', [back.outcome, back.lock?.fence], ['acquired', lock?.fence]);
    },
  },
  {
    id: '7 release: when the grace is over the lock ends by itself',
    needs: ['grace'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      await anna.claim(ref, { sessionId: 's1' });
      await anna.release(ref, { sessionId: 's1', graceMs: GRACE_MS });
      await untilTrue('the record to be free after the grace', async () => {
        const { locks } = await ben.read(ref);
        return locks?.length === 0;
      });
      expectSame('another person’s claim', (await ben.claim(ref)).outcome, 'acquired');
    },
  },
  {
    id: '7 take-over: from the holder who was seen: it is the taker’s, and the holder is told',
    needs: ['takeOver'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { me } = await anna.claim(ref, { sessionId: 's1' });
      const taken = await ben.takeOver(ref, { fromHolderOid: me?.holderOid });
      expectSame('outcome', taken.outcome, 'acquired');
      expectSame('the holder', taken.lock?.holderOid, taken.me?.holderOid);
      const renewed = await anna.renew(ref, { sessionId: 's1' });
      expectThat(renewed.outcome === 'held' || renewed.outcome === 'lost', 'held or lost', renewed.outcome);
      expectSame('the holder named to who lost it', renewed.lock?.holderOid, taken.me?.holderOid);
    },
  },
  {
    id: '7 take-over: from somebody who does not hold it any more: held, with the lock that stands',
    needs: ['takeOver'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { me } = await anna.claim(ref);
      const { outcome, lock } = await ben.takeOver(ref, { fromHolderOid: 'somebody-else' });
      expectSame('outcome and holder', [outcome, lock?.holderOid], ['held', me?.holderOid]);
    },
  },
  {
    id: '7 take-over: of a free record: acquired',
    needs: ['takeOver'],
    async run({ anna, newRef }) {
      const { outcome } = await anna.takeOver(newRef(), { fromHolderOid: 'somebody-else' });
      expectSame('outcome', outcome, 'acquired');
    },
  },
  {
    id: '7 take-over: the fence grows, so that the former holder’s writes can be told apart',
    needs: ['takeOver', 'fence'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { lock, me } = await anna.claim(ref);
      const taken = await ben.takeOver(ref, { fromHolderOid: me?.holderOid });
      const [before, after] = [Number(lock?.fence), Number(taken.lock?.fence)];
      expectThat(after > before, `a fence above ${before}`, after);
    },
  },
];
