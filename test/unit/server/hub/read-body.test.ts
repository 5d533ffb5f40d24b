import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readBody } from '../../../../server/hub/read-body.ts';

describe('readBody', () => {
  const reading = (withinMs = 60_000) => {
    const stream = new PassThrough();
    const body = readBody(stream as unknown as IncomingMessage, { maxBytes: 10, withinMs });
    return { stream, body };
  };

  it('answers all of it', async () => {
    const { stream, body } = reading();
    stream.write('12345');
    stream.end('67890');
    assert.equal(String(await body), '1234567890');
    const empty = reading();
    empty.stream.end();
    assert.equal(String(await empty.body), '');
  });

  it('too much, however it comes', async () => {
    const { stream, body } = reading();
    stream.write('123456');
    stream.write('78901');
    assert.equal(await body, 'too-large');
    stream.end('more that nobody keeps');
  });

  it('broken off, with or without an error', async () => {
    const { stream, body } = reading();
    stream.write('123');
    stream.destroy();
    assert.equal(await body, 'aborted');
    const broken = reading();
    broken.stream.destroy(new Error('reset'));
    assert.equal(await broken.body, 'aborted');
    const gone = new PassThrough().destroy();
    await once(gone, 'close');
    const before = performance.now();
    const late = readBody(gone as unknown as IncomingMessage, { maxBytes: 10, withinMs: 1_000 });
    assert.equal(await late, 'aborted');
    assert.equal(performance.now() - before < 500, true, 'at once');
  });

  it('too slow', async () => {
    const { stream, body } = reading(20);
    stream.write('123');
    assert.equal(await body, 'aborted');
    stream.end();
  });
});
