import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Principal } from '../../../core/index.ts';
import { HubTickets, TICKET_LIFETIME_MS, newConnectionId } from '../../../server/hub-tickets.ts';

const ANN: Principal = { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };

describe('HubTickets', () => {
  it('a ticket opens one socket of the caller who got it', () => {
    const tickets = new HubTickets();
    const id = tickets.issue(ANN);
    assert.equal(tickets.redeem(id, { ...ANN, oid: 'bob' }), false);
    assert.equal(tickets.redeem(id, { ...ANN, tenant: 'b' }), false);
    assert.equal(tickets.redeem('unknown', ANN), false);
    assert.equal(tickets.redeem(id, ANN), true);
    assert.equal(tickets.redeem(id, ANN), false);
  });

  it('one that is not used is forgotten after 15 seconds', () => {
    const timers: { readonly run: () => void; readonly delayMs: number }[] = [];
    const tickets = new HubTickets({ set: (run, delayMs) => timers.push({ run, delayMs }), clear() {} });
    const id = tickets.issue(ANN);
    assert.equal(timers[0]?.delayMs, TICKET_LIFETIME_MS);
    timers[0].run();
    assert.equal(tickets.redeem(id, ANN), false);
  });

  it('leaves no timer behind', () => {
    const open = new Set<number>();
    let last = 0;
    const tickets = new HubTickets({
      set: () => {
        open.add((last += 1));
        return last;
      },
      clear: (timer) => void open.delete(timer as number),
    });
    tickets.redeem(tickets.issue(ANN), ANN);
    tickets.issue(ANN);
    tickets.clear();
    assert.equal(open.size, 0);
  });

  it('ids have 22 characters of base64url, and never come twice', () => {
    const ids = Array.from({ length: 1_000 }, newConnectionId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  });
});
