import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { pinoLog } from '../../../server/index.ts';

describe('a pino logger', () => {
  it('takes Rowlock’s lines with their details, at their level', () => {
    const lines: Record<string, unknown>[] = [];
    const destination = {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    };
    const log = pinoLog(pino({ base: null, timestamp: false }, destination));
    log.info('started');
    log.warn('away', { reason: 'ECONNREFUSED' });
    log.error('failed', { requestId: 'r-1' });
    assert.deepEqual(lines, [
      { level: 30, msg: 'started' },
      { level: 40, reason: 'ECONNREFUSED', msg: 'away' },
      { level: 50, requestId: 'r-1', msg: 'failed' },
    ]);
  });
});
