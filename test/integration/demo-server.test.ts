import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../demo/server.ts', import.meta.url));

describe('the demo', () => {
  it('does not start with a REDIS_URL that is no URL, says so, and does not show it', async () => {
    const env = { ...process.env, PORT: '0', NODE_ENV: 'test', REDIS_URL: ':secret@127.0.0.1:6379' };
    const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 1);
    assert.equal(
      output,
      'The Rowlock demo cannot start: REDIS_URL: expected a URL such as "redis://127.0.0.1:6379".\n',
    );
  });
});
