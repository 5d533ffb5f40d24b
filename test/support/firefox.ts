import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { findExecutable } from '../../scripts/find-executable.mjs';

/** One tab. It comes to the front with what is done in it by hand. */
export interface FirefoxTab {
  /** The value of an expression in the page, which must be JSON; promises are awaited. Rejects where it throws. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Presses the mouse on what an expression finds, as a user would: whatever covers it is hit instead. */
  click(expression: string): Promise<void>;
  /** Presses keys, one after the other. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A headless Firefox that talks to nobody but the tests, spoken with by WebDriver BiDi alone. */
export interface Firefox {
  /** E.g. "firefox 140.5.0". */
  readonly version: string;
  /** Resolves when the page is loaded. */
  open(url: string): Promise<FirefoxTab>;
  close(): Promise<void>;
}

type Reply = Readonly<Record<string, unknown>>;

/** Where Firefox is, or why there is none: a reason for node:test's `skip`. `FIREFOX` decides alone when set. */
export function findFirefox():
  { readonly path: string; readonly missing: false } | { readonly missing: string } {
  const path = findExecutable('FIREFOX', [
    'firefox-esr',
    'firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ]);
  if (path !== undefined) return { path, missing: false };
  return {
    missing: 'no Firefox on this machine: install it (Debian: firefox-esr), or set FIREFOX to its path',
  };
}

/** What is not loopback goes to a proxy that is not there: updates, telemetry, experiments. */
const PREFERENCES = `
  user_pref('network.proxy.type', 1);
  user_pref('network.proxy.http', '127.0.0.1');
  user_pref('network.proxy.http_port', 9);
  user_pref('network.proxy.ssl', '127.0.0.1');
  user_pref('network.proxy.ssl_port', 9);
`;

export async function launchFirefox(): Promise<Firefox> {
  const firefox = findFirefox();
  if (firefox.missing !== false) throw new Error(firefox.missing);
  const profile = mkdtempSync(join(tmpdir(), 'rowlock-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES);
  // A process group of its own: its content processes end with it. What it keeps at home goes into the profile.
  const child = spawn(
    firefox.path,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    { detached: true, env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const killAll = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  process.once('exit', killAll);
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`Firefox ended:\n${output}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<unknown, (reply: Reply) => void>();
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply;
    waiting.get(reply['id'])?.(reply);
    waiting.delete(reply['id']);
  });
  let lastId = 0;
  const call = (method: string, params: object) =>
    new Promise<Reply>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ type, result, message }) => {
        if (type === 'success') resolve(result as Reply);
        else reject(new Error(`${method}: ${String(message)}`));
      });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  const { capabilities } = await call('session.new', { capabilities: {} });
  const { browserName, browserVersion } = capabilities as Record<string, string>;

  return {
    version: `${browserName} ${browserVersion}`,
    async open(url) {
      const { context } = await call('browsingContext.create', { type: 'tab' });
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
      const evaluate = async (expression: string) => {
        const asked = { expression, target: { context }, awaitPromise: true };
        const { result, exceptionDetails } = await call('script.evaluate', asked);
        if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
        return result as Reply;
      };
      const act = async (source: object) => {
        await call('browsingContext.activate', { context });
        await call('input.performActions', { context, actions: [source] });
      };
      return {
        async evaluate<Value>(expression: string) {
          const { value } = await evaluate(`(async () => JSON.stringify(await (${expression})))()`);
          return (value === undefined ? undefined : JSON.parse(value as string)) as Value;
        },
        async click(expression) {
          const { sharedId } = await evaluate(expression);
          const origin = { type: 'element', element: { sharedId } };
          const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
          await act({
            id: 'mouse',
            type: 'pointer',
            actions: [{ type: 'pointerMove', x: 0, y: 0, origin }, ...press],
          });
        },
        type: (text) =>
          act({
            id: 'keys',
            type: 'key',
            actions: Array.from(text).flatMap((value) =>
              ['keyDown', 'keyUp'].map((type) => ({ type, value })),
            ),
          }),
        close: () => call('browsingContext.close', { context, promptUnload: true }).then(() => {}),
      };
    },
    async close() {
      process.off('exit', killAll);
      socket.terminate();
      killAll();
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
