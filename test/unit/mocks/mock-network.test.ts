import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { MockNetwork } from '../../../mocks/mock-network.ts';
import type { MockFailure } from '../../../mocks/mock-failure.ts';
import { FakeTimers } from '../core/hub/fake-timers.ts';
import { ORIGIN } from './mock-server.ts';

function network({
  failure = null,
  latencyMs = 0,
}: { failure?: MockFailure | null; latencyMs?: number | (() => number) } = {}) {
  const timers = new FakeTimers();
  const abort = new AbortController();
  const request = new Request(ORIGIN, { signal: abort.signal });
  const carried: string[] = [];
  const answer = () => {
    carried.push('step');
    return new Response('fine');
  };
  const net = new MockNetwork({ failure: () => failure, latencyMs, timers });
  const note = (response: Response) => {
    carried.push(response.type === 'error' ? 'failed' : String(response.status));
    return response;
  };
  return {
    timers,
    abort,
    carried,
    net,
    api: () => net.carryApi(request, async () => answer()).then(note),
    hub: () => net.carryHub(request, answer).then(note),
  };
}

describe('MockNetwork', () => {
  it('takes the step at once and lets the answer travel', async () => {
    const { timers, carried, api } = network({ latencyMs: 300 });
    void api();
    await allDone();
    assert.deepEqual(carried, ['step']);
    timers.advance(299);
    await allDone();
    assert.deepEqual(carried, ['step']);
    timers.advance(1);
    await allDone();
    assert.deepEqual(carried, ['step', '200']);
    assert.equal(timers.pending, 0);
  });

  it('asks for the latency of each answer', async () => {
    const delays = [10, 0, 20];
    const { timers, carried, api } = network({ latencyMs: () => delays.shift() ?? 0 });
    void api();
    void api();
    void api();
    await allDone();
    assert.deepEqual(carried, ['step', 'step', 'step', '200']);
    timers.advance(20);
    await allDone();
    assert.equal(carried.length, 6);
  });

  it('stops waiting when the caller aborts, before or meanwhile', async () => {
    const { timers, abort, carried, api } = network({ latencyMs: 300 });
    void api();
    await allDone();
    abort.abort();
    await api();
    assert.equal(timers.pending, 0);
    assert.deepEqual(carried.filter((what) => what === '200').length, 2);
  });

  const table: readonly (readonly [
    failure: MockFailure | null,
    api: readonly string[],
    hub: readonly string[],
  ])[] = [
    [null, ['step', '200'], ['step', '200']],
    ['unavailable', ['step', '200'], ['step', '200']],
    ['error', ['503'], ['step', '200']],
    ['network', ['failed'], ['step', '200']],
    ['hang', [], ['step', '200']],
    ['hub-down', ['step', '200'], ['503']],
    ['offline', ['failed'], ['failed']],
  ];
  for (const [failure, api, hub] of table) {
    it(`meets ${failure ?? 'no failure'} with ${api.join(', ') || 'silence'}, and on the hub with ${hub.join(', ')}`, async () => {
      const call = network({ failure });
      void call.api();
      await allDone();
      assert.deepEqual(call.carried, api);
      call.carried.length = 0;
      void call.hub();
      await allDone();
      assert.deepEqual(call.carried, hub);
      call.net.flush();
    });
  }

  it('lets what hangs fail when the caller aborts, and when it is flushed', async () => {
    const aborted = network({ failure: 'hang' });
    const first = aborted.api();
    aborted.abort.abort();
    await first;
    assert.deepEqual(aborted.carried, ['failed']);
    const flushed = network({ failure: 'hang' });
    const second = flushed.api();
    flushed.net.flush();
    await second;
    assert.deepEqual(flushed.carried, ['failed']);
  });
});
