import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLog } from '../../../server/index.ts';

describe('jsonLog', () => {
  const lines: [level: string, entry: Record<string, unknown>, line: string][] = [];
  const log = jsonLog({
    now: () => new Date(0),
    write: (line, level) => lines.push([level, JSON.parse(line) as Record<string, unknown>, line]),
  });
  const last = () => lines.at(-1) ?? ['', {}, ''];

  it('writes one JSON object a line, with time, level, message and details', () => {
    log.warn('Two\nlines', { reason: 'OOM', count: 2 });
    const [level, entry, line] = last();
    assert.equal(level, 'warn');
    assert.deepEqual(entry, {
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'Two\nlines',
      reason: 'OOM',
      count: 2,
    });
    assert.equal(!line.includes('\n'), true);
  });

  it('details never replace the head, and errors become their message', () => {
    log.error('Real', { message: 'fake', level: 'info', cause: new Error('why') });
    assert.deepEqual(last()[1], {
      time: '1970-01-01T00:00:00.000Z',
      level: 'error',
      message: 'Real',
      cause: 'why',
    });
  });

  it('hides what has the name of a secret, at any depth', () => {
    log.info('x', { headers: { Authorization: 'Bearer abc', cookie: 'sid=1' }, access_token: 'abc' });
    assert.doesNotMatch(last()[2], /abc|sid=1/);
  });

  it('never throws: details that are no JSON are left out', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    log.info('circular', circular);
    log.info('bigint', { count: 1n });
    assert.deepEqual(last()[1], { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'bigint' });
  });
});
