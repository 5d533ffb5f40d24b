import { median } from '../hub/median.ts';
import type { HttpFindings, HttpRound } from './http-rounds.ts';
import { HTTP_ROUTE_NAMES, type HttpRouteName } from './http-routes.ts';
import { markdownTable, ratioText, thousands } from './markdown-table.ts';
import { ratioOfRounds } from './ratio-of-rounds.ts';
import type { ReportPart } from './report-part.ts';
import type { Comparison } from '../where-slower.ts';

/** What we want of ourselves, in requests per second against the bare route. Reported, not enforced. */
const AIM = 0.8;

const COMPARISONS: readonly {
  readonly ours: HttpRouteName;
  readonly bare: HttpRouteName;
  readonly label: string;
}[] = [
  {
    ours: 'claim',
    bare: 'bare claim',
    label: 'claim over HTTP, against an Express route that calls the same script',
  },
  {
    ours: 'guarded write',
    bare: 'bare write',
    label: 'PUT with `guardWrites`, against the same route without it',
  },
  {
    ours: 'guarded write, quiet',
    bare: 'bare write',
    label: 'PUT with `guardWrites` and `publishChange: false`, against the same',
  },
];

export function httpReport(findings: HttpFindings): ReportPart {
  const head = [
    '',
    ...[...findings.keys()].flatMap((at) => [`requests per second, ${at} at once`, `CPU, ${at} at once`]),
  ];
  const rows = COMPARISONS.map(({ ours, bare, label }) => {
    const ratios = [...findings.values()].map((of) => ratiosOf(of.get(ours) ?? [], of.get(bare) ?? []));
    const isReached = ratios.every(({ speed }) => speed >= AIM);
    const verdict = `≥ ${AIM}: ${isReached ? 'reached' : '**missed**'}`;
    return [label, ...ratios.flatMap(({ speed, cpu }) => [ratioText(speed), ratioText(cpu)]), verdict];
  });
  const raw = [...findings].map(([at, of]) => rawTable(at, of));
  const comparisons = COMPARISONS.flatMap(({ ours, bare, label }) =>
    [...findings].flatMap(([at, of]): Comparison[] => {
      const { speed, cpu } = ratiosOf(of.get(ours) ?? [], of.get(bare) ?? []);
      return [
        { against: label, measure: `speed, ${at} at once`, ratio: speed, better: 'above' },
        { against: label, measure: `CPU, ${at} at once`, ratio: cpu, better: 'above' },
      ];
    }),
  );
  return {
    comparisons,
    ratios: [
      '### Over HTTP',
      'One server process, one client process, keep-alive connections. The write is one SET in the same Redis, by the user who holds the record’s lock; the guard asks Redis once more and, unless told not to, publishes the change. Nobody’s identity costs anything. **Above 1 ours would be faster.** CPU is that of server and Redis together.',
      markdownTable([...head, 'aim'], rows),
    ].join('\n\n'),
    raw: ['Requests over HTTP.', ...raw].join('\n\n'),
  };
}

function ratiosOf(ours: readonly HttpRound[], bare: readonly HttpRound[]) {
  const cpuOf = ({ serverUs, redisUs }: HttpRound) => serverUs + redisUs;
  return {
    speed: ratioOfRounds(ours, bare, (our, their) => our.perS / their.perS),
    cpu: ratioOfRounds(ours, bare, (our, their) => cpuOf(their) / cpuOf(our)),
  };
}

function rawTable(at: number, of: ReadonlyMap<HttpRouteName, readonly HttpRound[]>): string {
  const rows = HTTP_ROUTE_NAMES.map((route) => {
    const all = of.get(route) ?? [];
    const us = (pick: (round: HttpRound) => number) => `${median(all.map(pick)).toFixed(0)} µs`;
    const speed = thousands(median(all.map(({ perS }) => perS)));
    return [route, speed, us(({ serverUs }) => serverUs), us(({ redisUs }) => redisUs)];
  });
  return markdownTable([`${at} at once`, 'requests per second', 'CPU of the server', 'CPU of Redis'], rows);
}
