import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOCK_ERROR_STATUS, LockError, problemAnswer, type LockErrorCode } from '../../../core/index.ts';

const codes = Object.keys(LOCK_ERROR_STATUS) as LockErrorCode[];

describe('LockError', () => {
  it('keeps the status of every code, as documented', () => {
    assert.deepEqual(LOCK_ERROR_STATUS, {
      'type-not-lockable': 400,
      'bad-request': 400,
      unauthenticated: 401,
      'automation-cannot-claim': 403,
      'take-over-denied': 403,
      'origin-not-allowed': 403,
      'not-found': 404,
      'method-not-allowed': 405,
      'request-timeout': 408,
      'entity-locked': 409,
      'stale-fence': 409,
      'write-in-progress': 409,
      'too-large': 413,
      'too-many-requests': 429,
      'too-many-locks': 429,
      internal: 500,
      'identity-unavailable': 503,
    });
  });

  for (const code of codes) {
    it(`becomes problem+json: ${code}`, () => {
      const answer = problemAnswer(new LockError(code, 'What happened.'));
      assert.equal(answer.status, LOCK_ERROR_STATUS[code]);
      assert.equal(answer.contentType, 'application/problem+json');
      const { title, ...rest } = answer.body as Record<string, unknown>;
      assert.deepEqual(rest, { status: answer.status, detail: 'What happened.', code });
      assert.match(String(title), /^[A-Z][a-z]+( [A-Z][a-z]+)*$/);
      assert.notEqual(title, 'Error');
    });
  }

  it('carries the field and the lock where they were given, a lock that is null included', () => {
    assert.equal(new LockError('bad-request', 'x', { field: 'fence' }).toProblem().field, 'fence');
    const withNull = new LockError('stale-fence', 'x', { lock: null }).toProblem();
    assert.equal(withNull.lock, null);
    assert.ok(!('lock' in new LockError('bad-request', 'x').toProblem()));
  });

  it('keeps its cause to the server', () => {
    const error = new LockError('bad-request', 'x', { cause: new Error('secret') });
    assert.match(String(error.cause), /secret/);
    assert.ok(!JSON.stringify(error.toProblem()).includes('secret'));
    assert.ok(!('cause' in new LockError('bad-request', 'x')));
  });
});
