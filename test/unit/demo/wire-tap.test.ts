import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { LockTransport, TransportListener } from '../../../components/client/index.ts';
import { WireLog } from '../../../demo/wire-log.ts';
import { wireTap } from '../../../demo/wire-tap.ts';

const ANNA = { user: 'anna', elsewhere: false } as const;
const deaf: TransportListener = { changed() {}, resync() {}, connected() {} };

/** A transport of which only the hub matters here, and the listener that it got. */
function hubOf(party: { readonly user: 'anna'; readonly elsewhere: boolean }, log: WireLog) {
  let heard = deaf;
  const transport = {
    subscribe(listener: TransportListener) {
      heard = listener;
      return { setTypes() {}, nudge() {}, stop() {} };
    },
  } as unknown as LockTransport;
  wireTap(party, log).transport(transport).subscribe(deaf);
  return heard;
}

const lines = (log: WireLog) =>
  log.entries.map((entry) =>
    entry.kind === 'call'
      ? `${entry.method} ${entry.path} ${entry.status}`
      : `${entry.target}: ${entry.text}`,
  );

describe('what the panel of the wire hears', () => {
  it('is a call from its start to its answer, without a token, a body or a session', async (t) => {
    const log = new WireLog();
    let answer = (_: Response) => {};
    t.mock.method(globalThis, 'fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
    const call = wireTap(ANNA, log).fetch('/api/locks/Order/1?sessionId=s-7f3k&graceMs=5000', {
      method: 'DELETE',
      headers: { authorization: 'Bearer eyJ.secret' },
      body: '{"note":"private"}',
    });
    assert.deepEqual(lines(log), ['DELETE /api/locks/Order/1?sessionId=…&graceMs=5000 null']);
    answer(new Response('{}', { status: 409 }));
    assert.equal((await call).status, 409);
    assert.deepEqual(lines(log), ['DELETE /api/locks/Order/1?sessionId=…&graceMs=5000 409']);
    assert.doesNotMatch(JSON.stringify(log.entries), /eyJ|private|s-7f3k/);
  });

  it('is a call that failed, which fails for the caller as well', async (t) => {
    const log = new WireLog();
    t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await assert.rejects(wireTap(ANNA, log).fetch('https://api.example/locks/mine'), /Failed to fetch/);
    assert.deepEqual(lines(log), ['GET /locks/mine 0']);
  });

  it('is the hub: its connection, its changes, and a Resync only where the hub said one', () => {
    const log = new WireLog();
    const hub = hubOf(ANNA, log);
    hub.connected(true);
    hub.resync(); // the link's own, for the first list
    hub.resync(['Order']); // types that are new to it
    hub.changed({ entityType: 'Order', entityUid: '1', operation: 'Updated', at: 1 });
    hub.resync();
    hub.connected(false);
    assert.deepEqual(lines(log).reverse(), [
      ': connected',
      'EntityChanged: Updated 1',
      'Resync: changes may have been missed',
      ': connection lost',
    ]);
  });

  it('is of a page elsewhere only what it calls: its hub says the same as this one', () => {
    const log = new WireLog();
    hubOf({ user: 'anna', elsewhere: true }, log).connected(true);
    assert.deepEqual(lines(log), []);
  });

  it('keeps the latest and tells whoever listens', () => {
    const log = new WireLog();
    const listener = mock.fn();
    const unsubscribe = log.subscribe(listener);
    for (let n = 1; n <= 100; n += 1) log.add({ kind: 'message', party: ANNA, target: '', text: String(n) });
    assert.equal(listener.mock.callCount(), 100);
    assert.equal(log.entries.length, 80);
    assert.equal(lines(log)[0], ': 100');
    unsubscribe();
    log.add({ kind: 'message', party: ANNA, target: '', text: 'later' });
    assert.equal(listener.mock.callCount(), 100);
  });
});
