import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import {
  EntityChangeHub,
  LockRegistry,
  LockViews,
  MemoryChangeFeed,
  jsonHubProtocol,
  lockable,
  type CanSee,
  type LockableOptions,
  type Principal,
} from '../../../../core/index.ts';
import { ANNA, BEN, EVE } from '../people.ts';
import { RecordedLog } from '../recorded-log.ts';
import { HANDSHAKE } from './client-messages.ts';
import { FakeTimers } from './fake-timers.ts';
import { TestClient } from './test-hub.ts';

const CARL: Principal = { ...BEN, oid: 'carl', name: 'Carl' };
const BY_ANNA = { oid: 'anna', name: 'Anna', kind: 'user' } as const;

function hubWith(secret: LockableOptions) {
  const feed = new MemoryChangeFeed();
  const timers = new FakeTimers();
  const log = new RecordedLog();
  const registry = new LockRegistry([lockable('Order'), lockable('Secret', secret)]);
  const entityHub = new EntityChangeHub({ feed, timers, log, views: new LockViews(registry, log, () => 0) });
  let connected = 0;
  const connect = async (principal: Principal) => {
    connected += 1;
    const client = new TestClient(entityHub.hub, `c${connected}`, { principal });
    client.connection.receive(HANDSHAKE);
    await client.heard();
    return client;
  };
  const publish = (operation: string, entityType = 'Secret', entityUid = '1') =>
    feed.publish('acme', { entityType, entityUid, operation, by: BY_ANNA });
  return { entityHub, connect, publish, timers, log };
}

/** `Updated 1 by Anna`. */
const heard = async (client: TestClient) =>
  (await client.heard()).map((message) => {
    const [change] = (message as { arguments: readonly Record<string, unknown>[] }).arguments;
    const { name } = change?.['by'] as { name: string };
    return `${String(change?.['operation'])} ${String(change?.['entityUid'])} by ${name}`;
  });

describe('changes that not everybody may see', () => {
  it('reach those who may, and nobody of another tenant (F33)', async () => {
    const asked: string[] = [];
    const canSee: CanSee = async ({ oid }, { entityUid }) => {
      asked.push(oid);
      return oid !== 'ben' || entityUid !== '1';
    };
    const { connect, publish } = hubWith({ canSee });
    const [anna, ben, eve] = [await connect(ANNA), await connect(BEN), await connect(EVE)];
    await publish('Updated');
    await publish('Updated', 'Secret', '2');
    assert.deepEqual(await heard(anna), ['Updated 1 by Anna', 'Updated 2 by Anna']);
    assert.deepEqual(await heard(ben), ['Updated 2 by Anna']);
    assert.deepEqual(await heard(eve), []);
    assert.equal(asked.includes('eve'), false);
  });

  it('carry the name that each may read, written once for all who read the same', async () => {
    const { connect, publish } = hubWith({
      holderName: ({ name }, viewer) => (viewer.oid === 'carl' ? name : 'somebody'),
    });
    const clients = [
      await connect(BEN),
      await connect(BEN),
      await connect({ ...BEN, oid: 'dora' }),
      await connect(CARL),
    ];
    const write = mock.method(jsonHubProtocol, 'write');
    await publish('Updated');
    const told = await Promise.all(clients.map(heard));
    const written = write.mock.callCount();
    write.mock.restore();
    const somebody = ['Updated 1 by somebody'];
    assert.deepEqual(told, [somebody, somebody, somebody, ['Updated 1 by Anna']]);
    assert.equal(written, 2);
  });

  it('ask about each user once, however many pages they have open', async () => {
    let asked = 0;
    const canSee = () => {
      asked += 1;
      return true;
    };
    const { connect, publish } = hubWith({ canSee });
    const clients = [await connect(BEN), await connect(BEN), await connect(CARL)];
    await publish('Updated');
    for (const client of clients) assert.equal((await heard(client)).length, 1);
    assert.equal(asked, 2);
  });

  it('keep their order, however long a policy takes for the first', async () => {
    const answers: ((seen: boolean) => void)[] = [];
    const canSee = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const { connect, publish } = hubWith({ canSee });
    const ben = await connect(BEN);
    await publish('Updated');
    await publish('Released');
    answers[1]?.(true);
    assert.deepEqual(await heard(ben), []);
    answers[0]?.(true);
    assert.deepEqual(await heard(ben), ['Updated 1 by Anna', 'Released 1 by Anna']);
  });

  it('hold up no other type, and a policy that never answers has said no after two seconds', async () => {
    const canSee: CanSee = ({ oid }) => (oid === 'ben' ? new Promise(() => {}) : true);
    const { connect, publish, timers, log } = hubWith({ canSee });
    const [ben, carl] = [await connect(BEN), await connect(CARL)];
    await publish('Updated');
    await publish('Updated', 'Order', '7');
    assert.deepEqual([await heard(ben), await heard(carl)], [['Updated 7 by Anna'], ['Updated 7 by Anna']]);
    timers.advance(2_001);
    assert.deepEqual([await heard(ben), await heard(carl)], [[], ['Updated 1 by Anna']]);
    assert.equal(log.lines.length, 1);
  });

  it('of a policy that throws reach nobody', async () => {
    const canSee = () => {
      throw new Error('broke');
    };
    const { connect, publish, log } = hubWith({ canSee });
    const ben = await connect(BEN);
    await publish('Updated');
    assert.deepEqual(await heard(ben), []);
    assert.equal(log.lines[0]?.reason, 'broke');
  });
});
