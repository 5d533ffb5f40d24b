import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryBackend } from '../../../server/index.ts';
import { silentLog } from '../../support/silent-log.ts';

describe('memoryBackend', () => {
  it('says once at start that locks are kept in this process', async () => {
    const messages: string[] = [];
    const backend = memoryBackend({ log: { ...silentLog, info: (message) => messages.push(message) } });
    await backend.start();
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /memory of this process/);
    await backend.stop();
    await backend.stop();
  });

  it('refuses to be one of several workers, and says what to do', () => {
    const make = (isWorker: boolean, instance?: string) => () =>
      memoryBackend({ log: silentLog, place: { isWorker, instance } });
    assert.throws(make(true), /cluster\.isWorker.*REDIS_URL/);
    assert.throws(make(false, '1'), /NODE_APP_INSTANCE=1.*REDIS_URL/);
    make(false, '0')();
    make(false)();
  });
});
