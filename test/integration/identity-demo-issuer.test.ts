import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DemoTokens } from '../../demo/demo-tokens.ts';

const MAIN = fileURLToPath(new URL('../../demo/server.ts', import.meta.url));

describe('the demo’s token desk', () => {
  it('does not open in production: the demo ends with a message and an exit code', async () => {
    const {
      REDIS_URL: _redis,
      REDIS_CLUSTER: _cluster,
      REDIS_SENTINEL: _sentinel,
      ...inherited
    } = process.env;
    const env = { ...inherited, PORT: '0', NODE_ENV: 'production' };
    const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 1, output);
    assert.match(output, /^The Rowlock demo cannot start: .*NODE_ENV=production.*\n$/);
    assert.doesNotMatch(output, /http:/, 'it has never listened');
  });

  it('however production is spelled', async () => {
    for (const environment of ['production', 'Production', ' production', 'PROD']) {
      await assert.rejects(DemoTokens.create(environment), /production/, environment);
    }
    for (const environment of [undefined, '', 'test', 'development']) await DemoTokens.create(environment);
  });
});
