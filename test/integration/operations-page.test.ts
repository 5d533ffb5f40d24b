import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { memoryBackend } from '../../server/index.ts';
import { prometheusMetrics, type PrometheusMetrics } from '../../server/metrics/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const page = read('docs/operations.md');

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
/** What prom-client's types leave out of a metric. */
interface ExportedMetric {
  readonly name: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

const { groups } = parse(read('docs/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** The server's and the shared sources, with texts that are joined from parts in one piece. */
const sources = ['core', 'server']
  .flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true }).map((file) => `${folder}/${String(file)}`),
  )
  .filter((file) => file.endsWith('.ts'))
  .map(read)
  .join('\n')
  .replaceAll(/' \+\s*'/g, '');

/** The rows of the table under a heading, without its head. */
function rowsUnder(heading: string): string[][] {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | *\|?$/g, '').trim()));
}

const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('docs/operations.md', () => {
  let node: RowlockNode;
  let metrics: PrometheusMetrics;

  before(async () => {
    metrics = prometheusMetrics();
    node = await startNode({ backend: memoryBackend({ log: silentLog }), metrics });
  });
  after(() => node.stop());

  /** Each metric, as Prometheus is told of it: a histogram's series by their own names. */
  const exported = () =>
    (metrics.register.getMetricsAsArray() as unknown as readonly ExportedMetric[]).map(
      ({ name, type, labelNames = [] }) => ({ name, type, labels: [...labelNames].sort() }),
    );

  it('names every metric that is exported, with its type and labels, and no other', () => {
    const real = exported().map(({ name, type, labels }) => [name, type, labels.join(' ')].join(' | '));
    const named = rowsUnder('Metrics').map(([name, type = '', labels]) =>
      [codes(name)[0], type, codes(labels).sort().join(' ')].join(' | '),
    );
    assert.deepEqual([...named].sort(), [...real].sort());
    for (const row of rowsUnder('Metrics')) assert.equal(row.length, 4, row.join(' | '));
  });

  it('says what health answers, to the letter', async () => {
    for (const [request, answer] of rowsUnder('Health')) {
      const [, path = ''] = codes(request)[0]?.split(' ') ?? [];
      const { status, text } = await node.call('GET', path, { as: null });
      assert.equal(status, 200);
      assert.equal(text.replace('"memory"', '"redis"'), codes(answer)[0], path);
    }
    assert.equal(rowsUnder('Health').length, 2);
  });

  it('lists every line that is logged as an error, with its level, and no line that is not logged', () => {
    const rows = rowsUnder('Log lines');
    const levels = new Map(rows.map(([level = '', message]) => [codes(message)[0] ?? '', level]));
    for (const message of levels.keys()) assert.equal(sources.includes(message), true, message);
    const logged = [...sources.matchAll(/\blog\??\.(info|warn|error)\(\s*'((?:[^'\\]|\\.)+)'/g)];
    assert.ok(logged.length >= 15, `${logged.length} lines were found`);
    for (const [, level = '', message = ''] of logged) {
      const said = levels.get(message);
      if (level === 'error') assert.notEqual(said, undefined, message);
      if (said !== undefined)
        assert.equal(said.includes(level) || message.startsWith('Calls cannot'), true, message);
    }
  });

  it('has a table of faults: what people see, what is told, what to do', () => {
    const rows = rowsUnder('When something breaks');
    assert.ok(rows.length >= 14, `${rows.length} rows`);
    for (const row of rows) {
      assert.equal(row.length, 4, row.join(' | '));
      for (const cell of row) assert.notEqual(cell, '', row.join(' | '));
      // Log lines are quoted as the other table has them, and alerts and metrics exist.
      for (const code of codes(row[2])) {
        if (/^[A-Z].* .*\.$/.test(code)) assert.equal(sources.includes(code), true, code);
        if (code.startsWith('rowlock_'))
          assert.equal(
            exported().some(({ name }) => name === code),
            true,
            code,
          );
        if (code.startsWith('Rowlock'))
          assert.equal(
            rules.some(({ alert }) => alert === code),
            true,
            code,
          );
      }
    }
  });

  it('says of each alert what to do', () => {
    const named = rowsUnder('Alerts').map(([alert]) => codes(alert)[0]);
    assert.deepEqual(
      named,
      rules.map(({ alert }) => alert),
    );
  });

  it('names files and pages that exist', () => {
    for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      assert.equal(existsSync(new URL(link, new URL('docs/', ROOT))), true, link);
    }
    for (const [path] of page.matchAll(/test\/[\w/-]+\.test\.ts/g)) {
      assert.equal(existsSync(new URL(path, ROOT)), true, path);
    }
  });

  it('gives defaults that are the code’s', () => {
    for (const [limit, value] of [
      ['`rateLimits`', '600 claims and take-overs, 1,200 renewals and releases, 1,200 reads'],
      ['`maxLocksPerHolder`', '500'],
      ['`hub.maxConnectionsPerUser`', '100'],
    ]) {
      assert.equal(rowsUnder('Limits').find(([name]) => name === limit)?.[1], value);
    }
    for (const said of [
      'claimsPerMinute: 600',
      'upkeepPerMinute: 1_200',
      'readsPerMinute: 1_200',
      'DEFAULT_MAX_LOCKS_PER_HOLDER = 500',
      'maxConnectionsPerUser: 100',
      'maxMessageBytes: 32_768',
      'maxMessagesPerSecond: 2_000',
      'maxBufferedBytes: 1_048_576',
    ]) {
      assert.equal(sources.includes(said), true, said);
    }
  });

  describe('its alert rules', () => {
    for (const { alert, expr, for: wait, labels, annotations } of rules) {
      it(`${alert}: asks for metrics and labels that there are`, () => {
        const names = [...expr.matchAll(/\browlock_\w+/g)].map(([name]) => name);
        assert.notEqual(names.length, 0, expr);
        for (const name of names) {
          const type = exported().find((each) => each.name === name.replace(/_bucket$/, ''))?.type;
          assert.equal(type === undefined, false, name);
          assert.equal(name.endsWith('_bucket'), type === 'histogram', name);
        }
        // Prometheus adds `instance`, a histogram `le`.
        const all = new Set(['instance', 'le', ...exported().flatMap((metric) => metric.labels)]);
        const used = [
          ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, matchers = '']) => [
            ...matchers.matchAll(/(\w+)=/g),
          ]),
          ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => [...list.matchAll(/(\w+)/g)]),
        ].map(([, label = '']) => label);
        for (const label of used) assert.equal(all.has(label), true, label);
        // Words that labels are compared with are words of the code.
        for (const [, words = ''] of expr.matchAll(/outcome=~?"([^"]+)"/g)) {
          for (const word of words.split('|')) assert.equal(sources.includes(`'${word}'`), true, word);
        }
        assert.match(labels['severity'] ?? '', /^(critical|warning|info)$/);
        assert.match(wait ?? '0m', /^\d+m$/);
        for (const [, label = ''] of (annotations['summary'] ?? '').matchAll(/\$labels\.(\w+)/g)) {
          assert.equal(expr.includes(label) || label === 'instance', true, label);
        }
        for (const [open = '', close = ''] of ['()', '{}', '[]']) {
          assert.equal(expr.split(open).length, expr.split(close).length, expr);
        }
      });
    }
  });
});
