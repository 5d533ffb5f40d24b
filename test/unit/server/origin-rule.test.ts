import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { OriginRule } from '../../../server/index.ts';

const requestOf = (method: string, headers: Readonly<Record<string, string>>) =>
  ({ method, headers: { host: 'api.test:8080', ...headers } }) as unknown as IncomingMessage;

describe('OriginRule', () => {
  const rule = new OriginRule(['https://app.test', 'http://localhost:3000']);
  const allows = (origin?: string) => rule.allows(requestOf('GET', origin === undefined ? {} : { origin }));

  it('allows listed origins exactly, this host, and callers that are no browsers', () => {
    for (const origin of [
      'https://app.test',
      'http://localhost:3000',
      'http://api.test:8080',
      'https://api.test:8080',
      undefined,
    ]) {
      assert.equal(allows(origin), true, origin);
    }
    for (const origin of [
      'http://app.test',
      'https://app.test:8443',
      'https://x.app.test',
      'http://localhost',
      'http://api.test',
      'null',
      '',
      'file://',
      'api.test:8080',
    ]) {
      assert.equal(allows(origin), false, origin);
    }
  });

  it('asks a rule with every origin, never with null or what is none; one that throws allows nothing', () => {
    const asked: string[] = [];
    const open = new OriginRule((origin) => {
      asked.push(origin);
      if (origin === 'https://broken.test') throw new Error('broken');
      return origin.endsWith('.preview.test');
    });
    const isAllowed = (origin: string) => open.allows(requestOf('GET', { origin }));
    assert.equal(isAllowed('https://pr-7.preview.test'), true);
    assert.equal(isAllowed('https://preview.test.evil.test'), false);
    assert.equal(isAllowed('https://broken.test'), false);
    assert.equal(isAllowed('http://api.test:8080'), true, 'this host, whatever the rule says');
    assert.equal(asked.length, 4);
    const late = (async () => true) as unknown as () => boolean;
    assert.equal(new OriginRule(late).allows(requestOf('GET', { origin: 'https://x.test' })), false);
    const all = new OriginRule(() => true);
    for (const origin of ['null', '', 'file://', 'https://x.test/', 'HTTPS://X.TEST']) {
      assert.equal(all.allows(requestOf('GET', { origin })), false, origin);
    }
  });

  it('knows a change that a foreign page could forge', () => {
    const foreign = { origin: 'https://evil.test' };
    assert.equal(rule.isForged(requestOf('POST', foreign)), true);
    assert.equal(rule.isForged(requestOf('DELETE', foreign)), true);
    assert.equal(rule.isForged(requestOf('GET', foreign)), false);
    assert.equal(rule.isForged(requestOf('POST', { ...foreign, authorization: 'Bearer x' })), false);
    assert.equal(rule.isForged(requestOf('POST', { origin: 'https://app.test' })), false);
    assert.equal(rule.isForged(requestOf('POST', {})), false);
  });

  it('passwords and Windows sign-ins, which browsers send by themselves, are no proof of a page’s own doing', () => {
    const foreign = { origin: 'https://evil.test' };
    for (const authorization of ['Basic YTpi', 'Negotiate YII=', 'NTLM TlRM', 'Digest x', 'Bearer', '']) {
      assert.equal(rule.isForged(requestOf('POST', { ...foreign, authorization })), true, authorization);
    }
    assert.equal(rule.isForged(requestOf('POST', { ...foreign, authorization: 'bearer x' })), false);
  });

  it('without an Origin goes by Sec-Fetch-Site', () => {
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      assert.equal(rule.allows(requestOf('GET', { 'sec-fetch-site': site })), false, site);
      assert.equal(rule.isForged(requestOf('POST', { 'sec-fetch-site': site })), true, site);
    }
    for (const site of ['same-origin', 'none']) {
      assert.equal(rule.allows(requestOf('GET', { 'sec-fetch-site': site })), true, site);
      assert.equal(rule.isForged(requestOf('DELETE', { 'sec-fetch-site': site })), false, site);
    }
    const listed = { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' };
    assert.equal(rule.isForged(requestOf('POST', listed)), false);
  });
});
