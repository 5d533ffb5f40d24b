import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkWrites,
  entityRef,
  type CheckWritesOptions,
  type EntityChange,
  type LockService,
  type Principal,
} from '../../../core/index.ts';
import { ANNA, BEN, ROBOT } from './people.ts';
import { serviceAt } from './service-at.ts';

const START = 1_700_000_000_000;

const stage = async () => {
  const parts = serviceAt(START);
  const changes: EntityChange[] = [];
  await parts.service.claim(BEN, entityRef('Order', 'b'), { sessionId: 's' });
  parts.feed.onChange((_tenant, change) => changes.push(change));
  return { ...parts, told: () => changes.map(({ operation, entityUid }) => `${operation} ${entityUid}`) };
};
const bulk = async (
  service: LockService,
  rows: unknown,
  options: CheckWritesOptions = {},
  writer: Principal = ANNA,
) => {
  const write = await checkWrites(service, writer, 'Order', rows, options);
  return write.allowed ? write : assert.fail(`refused: ${write.problem.detail}`);
};
const short = (results: readonly { entityUid: string; status: string }[]) =>
  results.map(({ entityUid, status }) => `${entityUid} ${status}`);

describe('checkWrites', () => {
  it('answers per row: locked rows are listed with their lock, the others go through (F29)', async () => {
    const { service, told } = await stage();
    const write = await bulk(service, ['a', 'b', 'c']);
    assert.deepEqual(write.free, [entityRef('Order', 'a'), entityRef('Order', 'c')]);
    assert.deepEqual(short(write.results), ['a written', 'b locked', 'c written']);
    assert.equal(write.results[1]?.lock?.holderName, 'Ben');
    assert.equal('lock' in (write.results[0] ?? {}), false);
    await write.finish({ ok: true });
    await write.finish({ ok: true });
    assert.deepEqual(told(), ['Updated a', 'Updated c']);
  });

  it('asks the store once, whatever the number of rows', async () => {
    const { service, store } = await stage();
    let trips = 0;
    const readMany = store.readMany.bind(store);
    store.readMany = (...args) => {
      trips += 1;
      return readMany(...args);
    };
    await bulk(
      service,
      Array.from({ length: 200 }, (_, at) => `row-${at}`),
    );
    assert.equal(trips, 1);
  });

  it('a row with a fence of before somebody else’s edit is stale', async () => {
    const { service } = await stage();
    const { fence } = (await service.claim(ANNA, entityRef('Order', 'a'), { sessionId: 's' })).lock ?? {};
    const rows = [{ entityUid: 'a', fence }, { entityUid: 'c', fence: 1 }, { entityUid: 'd' }];
    const { results } = await bulk(service, rows);
    assert.deepEqual(short(results), ['a written', 'c stale', 'd written']);
    assert.equal(results[1]?.lock, null);
  });

  it('a row that the handler could not write is failed, and nobody hears of it', async () => {
    const { service, told } = await stage();
    const write = await bulk(service, ['a', 'c']);
    write.failed('c');
    assert.deepEqual(short(write.results), ['a written', 'c failed']);
    await write.finish({ ok: true });
    assert.deepEqual(told(), ['Updated a']);
  });

  it('a bulk write that failed as a whole publishes nothing', async () => {
    const { service, told } = await stage();
    await (await bulk(service, ['a'])).finish({ ok: false });
    assert.deepEqual(told(), []);
  });

  it('a row named twice, in any spelling, is one', async () => {
    const { service } = await stage();
    const guid = 'aaaaaaaa-0000-4000-8000-00000000000f';
    const { results } = await bulk(service, [guid.toUpperCase(), 'a', guid, 'a']);
    assert.deepEqual(short(results), [`${guid} written`, 'a written']);
  });

  it('releaseAfter ends the writer’s own sessions on what was written', async () => {
    const { service, told } = await stage();
    await service.claim(ANNA, entityRef('Order', 'a'), { sessionId: 's' });
    await (await bulk(service, ['a', 'b'], { releaseAfter: true })).finish({ ok: true });
    assert.deepEqual(told(), ['Acquired a', 'Updated a', 'Released a']);
  });

  it('automation and exempt writes pass everything; so does everybody while the store is away', async () => {
    const { service, store } = await stage();
    assert.deepEqual(short((await bulk(service, ['b'], {}, ROBOT)).results), ['b written']);
    assert.deepEqual(short((await bulk(service, ['b'], { exempt: true })).results), ['b written']);
    store.readMany = () => Promise.reject(new Error('away'));
    assert.deepEqual(short((await bulk(service, ['a', 'b'])).results), ['a written', 'b written']);
  });

  for (const [what, rows] of [
    ['nothing', undefined],
    ['an empty list', []],
    ['more than may be', ['a', 'b', 'c', 'd']],
    ['an object', { 0: 'a', length: 1 }],
    ['a row of another kind', ['a', 7]],
    ['a fence that is none', [{ entityUid: 'a', fence: 1.5 }]],
    ['an impossible uid', ['']],
  ] as const) {
    it(`refuses ${what} as a bad request that names the field`, async () => {
      const { service } = await stage();
      const write = await checkWrites(service, ANNA, 'Order', rows, { maxRows: 3 });
      assert.ok(!write.allowed, 'refused');
      assert.deepEqual([write.status, write.problem.code], [400, 'bad-request']);
      assert.match(write.problem.field ?? '', /^(rows|entityUid)$/);
    });
  }

  it('refuses nobody, and a type that is not registered; an impossible limit is the application’s fault', async () => {
    const { service } = await stage();
    const nobody = await checkWrites(service, null, 'Order', ['a']);
    const nothing = await checkWrites(service, ANNA, 'Nothing', ['a']);
    assert.deepEqual(
      [nobody, nothing].map((write) => !write.allowed && write.status),
      [401, 400],
    );
    for (const maxRows of [0, 501, 1.5]) {
      await assert.rejects(checkWrites(service, ANNA, 'Order', ['a'], { maxRows }), RangeError);
    }
  });
});
