import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  leftOutText,
  readBulkAnswer,
  sortOutLocked,
  type BulkLocks,
} from '../../../components/bulk-locks.ts';
import { createLockClient, type LockClient } from '../../../components/client/index.ts';
import { TransportError } from '../../../components/client/index.ts';
import type { EntityRef } from '../../../core/index.ts';
import { FakeBackend, FakeTransport, REF, TYPE, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

const refs = (count: number): EntityRef[] =>
  Array.from({ length: count }, (_, n) => ({ entityType: TYPE, entityUid: String(n) }));
const uids = (named: readonly EntityRef[]) => named.map(({ entityUid }) => entityUid);

async function world(locks: Readonly<Record<string, string>> = {}) {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const transport = new FakeTransport(backend, person('anna'));
  const client = createLockClient({ transport }, page);
  for (const [entityUid, oid] of Object.entries(locks)) {
    await backend.service.claim(person(oid), { ...REF, entityUid }, { sessionId: oid });
  }
  return { page, backend, transport, client };
}
/** Plain text, as a person reads it. */
const told = (sorted: BulkLocks, language = 'en') =>
  leftOutText(sorted, language).replace(/[\u2068\u2069]/g, '');

test('F29: of twenty records the three that others edit are left out, by one request, and the sentence says by whom', async () => {
  const { client, transport } = await world({ 3: 'bob', 7: 'cleo', 9: 'bob', 11: 'anna' });
  const selected = refs(20);
  const sorted = await sortOutLocked(selected, client);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
  assert.deepEqual(
    sorted.locked.map(({ ref, lock }) => [ref.entityUid, lock.holderName]),
    [
      ['3', 'Bob'],
      ['7', 'Cleo'],
      ['9', 'Bob'],
    ],
  );
  assert.equal(sorted.free.length, 17, 'one’s own lock is no hindrance');
  assert.deepEqual(sorted.unknown, []);
  assert.ok(
    sorted.free.every((ref) => selected.includes(ref)),
    'the caller’s own objects come back',
  );
  assert.equal(told(sorted), '3 of 20 records are being edited by Bob and Cleo and are left out.');
  assert.equal(
    told(sorted, 'de-AT'),
    '3 von 20 Datensätzen werden von Bob und Cleo bearbeitet und ausgelassen.',
  );
  assert.match(told(sorted, 'fr'), /^3 enregistrements sur 20 .* par Bob et Cleo /);
  assert.match(told(sorted, 'es'), /^Bob y Cleo están editando 3 de 20 /);
});

test('what the page has heard anyway costs no request', async () => {
  const { page, backend, client, transport } = await world();
  client.watch(REF, () => {});
  await page.advance(1_000);
  await backend.service.claim(person('bob'), REF, { sessionId: 'b' });
  await settle();
  const { locked } = await sortOutLocked([REF], client);
  assert.equal(locked[0]?.lock.holderName, 'Bob');
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
});

test('while the hub is away the server is asked instead of the memory', async () => {
  const { page, backend, client, transport } = await world({ 42: 'bob' });
  client.watch(REF, () => {});
  await page.advance(1_000);
  transport.disconnect();
  await backend.service.release(person('bob'), REF, { sessionId: 'bob' });
  const { free } = await sortOutLocked([REF], client);
  assert.deepEqual(free, [REF]);
});

test('a server that is away leaves all of that type unknown, and the sentence says so', async () => {
  const { client, transport } = await world();
  transport.trouble = () => Promise.reject(new TransportError('No answer'));
  const sorted = await sortOutLocked(refs(3), client);
  assert.deepEqual([uids(sorted.unknown), sorted.free, sorted.locked], [['0', '1', '2'], [], []]);
  assert.equal(told(sorted), '3 of 3 records could not be checked for locks.');
});

test('a record is known by any spelling of its id', async () => {
  const uid = '0F0E0D0C-0B0A-4908-8706-050403020100';
  const { client } = await world({ [uid]: 'bob' });
  const { locked } = await sortOutLocked([{ entityType: TYPE, entityUid: uid }], client);
  assert.equal(locked[0]?.ref.entityUid, uid);
});

test('an empty uid is a fault of the caller’s', async () => {
  const { client } = await world();
  await assert.rejects(sortOutLocked([{ entityType: TYPE, entityUid: '' }], client), RangeError);
});

test('one is singular, four names are two and the others, nobody is no sentence', async () => {
  const { client } = await world({ 1: 'bob', 2: 'cleo', 3: 'dan', 4: 'eve' });
  const sort = (count: number, of: LockClient = client) => sortOutLocked(refs(count), of);
  assert.equal(told(await sort(1)), '');
  assert.equal(told(await sort(2)), '1 of 2 records is being edited by Bob and is left out.');
  assert.equal(
    told(await sort(4)),
    '3 of 4 records are being edited by Bob, Cleo, and Dan and are left out.',
  );
  assert.equal(
    told(await sort(5)),
    '4 of 5 records are being edited by Bob, Cleo, and 2 others and are left out.',
  );
  assert.equal(
    told(await sort(2), 'no such language!'),
    '1 of 2 records is being edited by Bob and is left out.',
  );
});

test('F29: the answer to a bulk write, row by row, becomes the same sentence', async () => {
  const { backend } = await world({ 2: 'bob' });
  const { locks } = await backend.service.list(person('anna'), TYPE, { limit: 10 });
  const row = (entityUid: string, status: string, lock?: (typeof locks)[number] | null) => ({
    entityType: TYPE,
    entityUid,
    status,
    ...(lock === undefined ? {} : { lock }),
  });
  const read = readBulkAnswer({
    results: [
      row('1', 'written'),
      row('2', 'locked', locks[0]),
      row('3', 'stale', null),
      row('4', 'locked', null),
    ],
  });
  assert.deepEqual([uids(read.free), read.locked.map(({ ref }) => ref.entityUid)], [['1'], ['2']]);
  assert.deepEqual(
    read.notWritten?.map(({ ref, status }) => [ref.entityUid, status]),
    [
      ['3', 'stale'],
      ['4', 'locked'],
    ],
  );
  assert.equal(
    told(read),
    '1 of 4 records is being edited by Bob and is left out. 2 of 4 records could not be written.',
  );
  assert.throws(() => readBulkAnswer({ ok: true }), TypeError);
});
