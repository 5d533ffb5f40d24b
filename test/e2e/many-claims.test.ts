import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setStage } from '../support/stage.ts';

describe('200 parallel claims of one free request', () => {
  const stage = setStage();

  it('have one winner, whom everybody else is told', async () => {
    const users = ['anna', 'ben'];
    await Promise.all(users.map((user) => stage.demo.token(user)));
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const user = users[at % 2] ?? 'anna';
        const answer = await stage.demo.call(user, 'POST', '/api/locks/ApprovalRequest/REQ-2048/claim', {
          body: { sessionId: `page-${at}` },
        });
        return { user, answer };
      }),
    );
    assert.ok(answers.every(({ answer }) => answer.status === 200));
    const holders = new Set(
      answers.map(({ answer }) => (answer.body['lock'] as Record<string, unknown>)['holderOid']),
    );
    assert.equal(holders.size, 1, 'every answer names the same holder');
    const winners = new Set(
      answers.filter(({ answer }) => answer.body['outcome'] === 'acquired').map(({ user }) => user),
    );
    assert.equal(winners.size, 1, 'only one person acquired it');
    const held = answers.filter(({ answer }) => answer.body['outcome'] === 'held').length;
    assert.equal(held, 100, 'the other person was refused every time');
  });
});
