import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HttpTransportType } from '@microsoft/signalr';
import { runConformance, type ConformanceReport } from '../../conformance/index.ts';
import { startTamperedNode, type TamperedNode } from '../support/tampered-node.ts';
import { BACKEND_FAULTS, lockIn } from './backend-faults.ts';

const MAIN = fileURLToPath(new URL('../../conformance/main.ts', import.meta.url));

describe('the conformance checks', () => {
  describe('on a backend that is as it should be', () => {
    let node: TamperedNode;
    before(async () => {
      node = await startTamperedNode();
    });
    after(() => node.stop());

    it('all pass, and nothing is lacking', async () => {
      const report = await runConformance({ ...node.options, isStrict: true });
      assert.deepEqual(notPassed(report), []);
      assert.deepEqual(report.lacks, {});
    });

    it('all pass with a hub that is reached by long polling', async () => {
      const report = await runConformance({
        ...node.options,
        transport: HttpTransportType.LongPolling,
        only: '9 hub',
      });
      assert.deepEqual(notPassed(report), []);
    });

    it('no lock of a check is left behind', async () => {
      await runConformance({ ...node.options, only: '7 claim' });
      for (const token of [node.options.tokens.user, node.options.tokens.other]) {
        const answer = await fetch(`${node.options.api}/locks/mine`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.deepEqual(((await answer.json()) as { locks: unknown[] }).locks, []);
      }
    });

    it('what nobody gave is skipped by name', async () => {
      const { user, other } = node.options.tokens;
      const report = await runConformance({
        api: node.options.api,
        entityType: 'ApprovalRequest',
        tokens: { user, other },
      });
      const reasons = new Set(
        report.results.flatMap(({ outcome, reason }) => (outcome === 'skipped' ? [reason] : [])),
      );
      assert.deepEqual([...reasons].sort(), [
        'not asked for: automation',
        'not asked for: hub',
        'not asked for: otherTenant',
        'not asked for: write',
      ]);
      assert.ok(
        report.results.every(({ outcome }) => outcome !== 'failed'),
        'nothing failed',
      );
    });

    it('the command prints a line for each and the numbers last, and exits with 0', async () => {
      const { api, hub = '', tokens } = node.options;
      const { code, out } = await command([
        '--api', api, '--hub', hub, '--type', 'ApprovalRequest', '--only', '7 release',
        '--token', tokens.user, '--other-token', tokens.other, '--strict',
      ]); // prettier-ignore
      assert.equal(code, 0, out);
      assert.match(out, /^✔ 7 release: the holder lets go/m);
      assert.match(out, /Lacks nothing\.\n6 passed, 0 failed\n$/);
    });

    it('the command exits with 2 where it cannot be run, and says what is missing', async () => {
      const { code, out } = await command(['--api', node.options.api]);
      assert.equal(code, 2);
      assert.match(out, /Missing: --type, --token, --other-token/);
    });
  });

  describe('on a backend with a fault, name it', () => {
    for (const [name, { fault, found }] of Object.entries(BACKEND_FAULTS)) {
      it(name, async () => {
        const node = await startTamperedNode(fault);
        try {
          const report = await runConformance({
            ...node.options,
            only: found,
            isStrict: true,
            heardWithinMs: 1_000,
          });
          assert.deepEqual(
            report.results.map(({ id, outcome }) => [id, outcome]),
            [[found, 'failed']],
          );
          assert.notEqual(report.results[0]?.reason ?? '', '');
        } finally {
          await node.stop();
        }
      });
    }
  });

  it('a backend without grace, fences and take-over is told that it lacks them, and does not fail by that', async () => {
    const node = await startTamperedNode({
      store: (store) => ({ release: (step) => store.release({ ...step, graceMs: 0 }) }),
      answer: ({ body }) => {
        delete lockIn(body)?.['fence'];
      },
      instead: (request, response, next) => {
        if (request.path.endsWith('/take-over')) response.status(404).json({});
        else next();
      },
    });
    try {
      const report = await runConformance({ ...node.options, only: '7 ' });
      assert.deepEqual(Object.keys(report.lacks).sort(), ['fence', 'grace', 'takeOver']);
      assert.deepEqual(
        report.results.filter(({ outcome }) => outcome === 'failed'),
        [],
      );
    } finally {
      await node.stop();
    }
  });
});

function notPassed({ results }: ConformanceReport) {
  return results.filter(({ outcome }) => outcome !== 'passed');
}

function command(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr });
    });
  });
}
