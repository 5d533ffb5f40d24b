import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { memoryBackend } from '../../server/index.ts';
import { buildDotnet, findDotnet, startDotnet } from '../support/dotnet.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { startInteropNode } from './interop-node.ts';
import { DOTNET_STEPS } from './signalr-suite/dotnet-steps.ts';
import { MANNERS } from './signalr-suite/falling-back.ts';
import type { Manner } from './signalr-suite/scene.ts';

const PROJECT = fileURLToPath(new URL('dotnet/client', import.meta.url));
/** Of the hub, in milliseconds. */
const HEARTBEAT_MS = 250;
/** How long the program's short-lived token lives, in milliseconds. */
const TOKEN_MS = 1_500;
/** For a busy machine, in milliseconds. */
const SLACK_MS = 750;
const RUN_TIMEOUT_MS = 60_000;
const { missing } = findDotnet();

/** What one run of the program came to. */
interface DotnetRun {
  readonly output: string;
  /** By step: `ok` or `fail`, and what was seen or why. */
  readonly steps: ReadonlyMap<string, { readonly outcome: string; readonly detail: string }>;
  /** How the hub was connected to: `UPGRADE`, `GET stream`, `GET`. */
  readonly transports: ReadonlySet<string>;
}

describe('the .NET client', () => {
  let dll = '';
  // A first build fetches packages, and is no part of any test's time.
  before(async () => {
    if (missing === false) dll = await buildDotnet(PROJECT);
  });

  for (const manner of MANNERS) {
    describe(`over ${manner.transport} in ${manner.protocol}`, () => {
      let run: DotnetRun | undefined;
      before(async () => {
        if (missing === false) run = await runClient(dll, manner);
      });
      const seenBy = (step: string) => {
        const seen = run?.steps.get(step);
        assert.ok(seen, `the program gets as far as "${step}":\n${run?.output ?? ''}`);
        assert.equal(seen.outcome, 'ok', seen.detail);
        return JSON.parse(seen.detail) as Record<string, unknown>;
      };

      it('goes through all of its steps, over this transport alone', { skip: missing }, () => {
        assert.deepEqual([...(run?.steps.keys() ?? [])], Object.keys(DOTNET_STEPS));
        const wire = { WebSockets: 'UPGRADE', ServerSentEvents: 'GET stream', LongPolling: 'GET' };
        assert.deepEqual([...(run?.transports ?? [])], [wire[manner.transport]]);
      });
      for (const [step, expected] of Object.entries(DOTNET_STEPS)) {
        it(step, { skip: missing }, () => {
          const seen = seenBy(step);
          if (step !== 'token-runs-out') {
            assert.deepEqual(seen, expected(manner));
            return;
          }
          const { afterMs, ...others } = seen;
          assert.deepEqual(others, expected(manner));
          const most = TOKEN_MS + HEARTBEAT_MS + SLACK_MS;
          const isInTime = Number(afterMs) >= TOKEN_MS && Number(afterMs) <= most;
          assert.ok(isInTime, `after ${String(afterMs)} ms, not ${TOKEN_MS} to ${most}`);
        });
      }
    });
  }
});

/** Runs the program to its end, against hubs of its own. */
async function runClient(dll: string, { transport, protocol }: Manner): Promise<DotnetRun> {
  const timing = { heartbeatMs: HEARTBEAT_MS };
  const [hub, elsewhere, rowlock] = await Promise.all([
    startInteropNode({ timing }),
    startInteropNode({ name: 'elsewhere' }),
    startNode({ backend: memoryBackend({ log: silentLog }) }),
  ]);
  const accessToken = await tokenFor({ oid: 'anna-elsewhere' });
  const redirecting = await startInteropNode({ redirect: () => ({ url: elsewhere.url, accessToken }) });
  const settings: Readonly<Record<string, string>> = {
    hub: hub.url,
    redirecting: redirecting.url,
    rowlock: rowlock.url,
    token: await tokenFor({ oid: 'anna', name: 'Anna Berger' }),
    transport,
    protocol,
  };
  const program = startDotnet(
    dll,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  );
  try {
    await program.printed(/^done \d+$/m, RUN_TIMEOUT_MS);
  } finally {
    await program.stop();
    await Promise.all([hub, elsewhere, redirecting, rowlock].map((node) => node.stop()));
  }
  const output = program.output();
  const lines = [...output.matchAll(/^(ok|fail) (\S+) (.*)$/gm)];
  return {
    output,
    steps: new Map(lines.map(([, outcome = '', step = '', detail = '']) => [step, { outcome, detail }])),
    transports: new Set(
      hub.requests
        .filter(({ method, url }) => (method === 'GET' || method === 'UPGRADE') && url.includes('id='))
        .map(({ method, headers }) =>
          headers.accept?.includes('text/event-stream') === true ? `${method} stream` : method,
        ),
    ),
  };
}
