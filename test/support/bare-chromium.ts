import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { findChromium } from '../../scripts/find-chromium.mjs';

/** One tab. */
export interface BareTab {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The value of an expression in the page; promises are awaited. Rejects where it throws. */
  evaluate<Value>(expression: string): Promise<Value>;
}

/**
 * A Chromium spoken with by its own protocol alone. Playwright makes every page believe that it is visible and in
 * front; here a tab is hidden when it is.
 */
export interface BareChromium {
  open(url: string): Promise<BareTab>;
  close(): Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export async function launchBareChromium(args: readonly string[]): Promise<BareChromium> {
  const executable = findChromium();
  if (executable === undefined) throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');
  const profile = mkdtempSync(join(tmpdir(), 'rowlock-chromium-'));
  const child = spawn(
    executable,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      ...args,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /ws:\/\/\S+/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`Chromium ended:\n${output}`)));
  });
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply;
    waiting.get(reply.id ?? 0)?.(reply);
    waiting.delete(reply.id ?? 0);
  });
  let lastId = 0;
  const call = (method: string, params: object, sessionId?: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ result = {}, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }));
    });

  return {
    async open(url) {
      const { targetId } = await call('Target.createTarget', { url });
      const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
      const send = (method: string, params: object = {}) => call(method, params, String(sessionId));
      return {
        send,
        async evaluate<Value>(expression: string) {
          const answer = await send('Runtime.evaluate', {
            expression,
            awaitPromise: true,
            returnByValue: true,
          });
          if ('exceptionDetails' in answer) throw new Error(JSON.stringify(answer['exceptionDetails']));
          return (answer['result'] as { value: Value }).value;
        },
      };
    },
    async close() {
      socket.terminate();
      child.kill('SIGKILL');
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
