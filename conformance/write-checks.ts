import { PROBLEM_MEDIA_TYPE } from '../core/index.ts';
import type { RawAnswer } from './api-user.ts';
import type { ConformanceCheck } from './conformance-check.ts';
import { expectSame, expectThat } from './mismatch.ts';

/** Section 8, on the guarded route that was named. */
export const writeChecks: readonly ConformanceCheck[] = [
  {
    id: '8 write: another user’s live lock: 409 entity-locked, with the lock',
    needs: ['write'],
    async run({ anna, ben, newRef, write }) {
      const ref = newRef();
      const { me } = await anna.claim(ref);
      const answer = await ben.write(write, ref);
      expectRefusal(answer, 'entity-locked');
      const lock = answer.json?.['lock'] as { holderOid?: string } | null | undefined;
      expectSame('the holder named', lock?.holderOid, me?.holderOid);
    },
  },
  {
    id: '8 write: free, or one’s own: proceeds',
    needs: ['write'],
    async run({ anna, ben, newRef, write }) {
      const ref = newRef();
      expectPassed(await ben.write(write, ref), 'a write without a lock');
      await anna.claim(ref);
      expectPassed(await anna.write(write, ref), 'the holder’s write');
      await anna.release(ref);
      expectPassed(await ben.write(write, ref), 'a write after the release');
    },
  },
  {
    id: '8 write: a stale Lock-Fence: 409 stale-fence; the present one proceeds',
    needs: ['write', 'fence'],
    async run({ anna, ben, newRef, write }) {
      const ref = newRef();
      const { lock } = await anna.claim(ref);
      expectPassed(await anna.write(write, ref, lock?.fence), 'a write with the present fence');
      await anna.release(ref);
      await ben.claim(ref);
      await ben.release(ref);
      expectRefusal(await anna.write(write, ref, lock?.fence), 'stale-fence');
    },
  },
  {
    id: '8 write: a malformed Lock-Fence is a 400',
    needs: ['write', 'fence'],
    async run({ anna, newRef, write }) {
      const { status, json } = await anna.write(write, newRef(), 'seven');
      expectSame('status and code', [status, json?.['code']], [400, 'bad-request']);
    },
  },
  {
    id: '8 write: automation is never blocked, and drops nobody’s lock',
    needs: ['write', 'automation'],
    async run({ anna, robot, newRef, write }) {
      const ref = newRef();
      const { me } = await anna.claim(ref);
      expectPassed(await robot.write(write, ref), 'automation’s write');
      expectSame('the holder', (await anna.read(ref)).locks?.[0]?.holderOid, me?.holderOid);
    },
  },
  {
    id: '8 write: whoever waits hears that the data changed, and by whom',
    needs: ['write', 'hub'],
    async run({ anna, ben, listen, newRef, options, write }) {
      const ref = newRef();
      const ear = await listen(ben);
      await ear.subscribe([options.entityType]);
      const { me } = await anna.claim(ref);
      expectPassed(await anna.write(write, ref), 'the holder’s write');
      const change = await ear.hear(ref.entityUid, write.method === 'DELETE' ? 'Deleted' : 'Updated');
      const by = 'by' in change ? change.by : undefined;
      expectSame('who wrote', by?.oid, me?.holderOid);
    },
  },
];

function expectPassed({ status, json }: RawAnswer, what: string): void {
  expectThat(status >= 200 && status < 300, `${what} to be a 2xx`, { status, ...json });
}

function expectRefusal({ status, contentType, json }: RawAnswer, code: string): void {
  expectSame('status and code', [status, json?.['code']], [409, code]);
  expectSame('media type', contentType, PROBLEM_MEDIA_TYPE);
}
