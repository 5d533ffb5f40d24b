import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { requestId } from '../../../server/request-id.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function exchange(headers: Record<string, string> = {}, more: object = {}) {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers }, more);
  return { request, response: new ServerResponse(request) };
}

describe('a request’s id', () => {
  it('is the proxy’s', () => {
    const { request, response } = exchange({ 'x-request-id': 'edge-42' });
    assert.equal(requestId(request, response), 'edge-42');
    assert.equal(response.getHeader('x-request-id'), 'edge-42');
  });

  it('is the application’s own before the proxy’s', () => {
    const { request, response } = exchange({ 'x-request-id': 'edge-42' }, { id: 7 });
    assert.equal(requestId(request, response), '7');
  });

  it('is a new one where nobody gave any, and stays the same for one answer', () => {
    const { request, response } = exchange();
    const id = requestId(request, response);
    assert.match(id, UUID);
    assert.equal(requestId(request, response), id);
  });

  for (const sent of ['', 'two words', 'line\nbreak', 'x'.repeat(101), '<b>']) {
    it(`is never ${JSON.stringify(sent.slice(0, 12))}, which could break a log line`, () => {
      const { request, response } = exchange({ 'x-request-id': sent });
      assert.match(requestId(request, response), UUID);
    });
  }
});
