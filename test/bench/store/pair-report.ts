import { median } from '../hub/median.ts';
import { OURS, REDLOCK } from './lock-peers.ts';
import { markdownTable, ratioText, thousands } from './markdown-table.ts';
import type { PairFindings, PairRound } from './pair-rounds.ts';
import { ratioOfRounds } from './ratio-of-rounds.ts';
import type { ReportPart } from './report-part.ts';
import type { Comparison } from '../where-slower.ts';

/** What we want of ourselves, in pairs per second. Reported, not enforced. */
const AIM = 0.9;

export function pairReport({ peers, rounds }: PairFindings): ReportPart {
  const head = [
    'ours against',
    ...[...rounds.keys()].flatMap((at) => [`speed, ${at} at once`, `CPU, ${at} at once`]),
    'aim',
  ];
  const rows = peers
    .filter(({ name }) => name !== OURS)
    .map(({ name, label }) => {
      const ratios = [...rounds.values()].map((of) => ratiosOf(of.get(OURS) ?? [], of.get(name) ?? []));
      const isReached = ratios.every(({ speed }) => speed >= AIM);
      const aim = name === REDLOCK ? `speed ≥ ${AIM}: ${isReached ? 'reached' : '**missed**'}` : '–';
      return [label, ...ratios.flatMap(({ speed, cpu }) => [ratioText(speed), ratioText(cpu)]), aim];
    });
  const comparisons = peers
    .filter(({ name }) => name !== OURS && name !== 'before')
    .flatMap(({ name, label }) =>
      [...rounds].flatMap(([at, of]): Comparison[] => {
        const { speed, cpu } = ratiosOf(of.get(OURS) ?? [], of.get(name) ?? []);
        return [
          { against: label, measure: `speed, ${at} at once`, ratio: speed, better: 'above' },
          { against: label, measure: `CPU, ${at} at once`, ratio: cpu, better: 'above' },
        ];
      }),
    );
  return {
    comparisons,
    ratios: [
      '### Acquire and release, against lock libraries',
      'One free lock acquired and released, over one ioredis client each. Ours also keeps a record that others can read, an index that lists, a fence, sessions and a deadline, and tells every node, twice. **Above 1 ours is better, below 1 the peer is.** CPU is that of Node and Redis together.',
      markdownTable(head, rows),
      'The last two rows say where the difference lies: our scripts without our store, and the keys, arguments and replies alone.',
    ].join('\n\n'),
    raw: [
      'Acquire and release, pairs per second (slowest – fastest round) and CPU time.',
      ...[...rounds].map(([at, of]) => rawTable(at, peers, of)),
    ].join('\n\n'),
  };
}

function ratiosOf(ours: readonly PairRound[], theirs: readonly PairRound[]) {
  const cpuOf = ({ clientUs, redisUs }: PairRound) => clientUs + redisUs;
  return {
    speed: ratioOfRounds(ours, theirs, (our, their) => our.perS / their.perS),
    cpu: ratioOfRounds(ours, theirs, (our, their) => cpuOf(their) / cpuOf(our)),
  };
}

function rawTable(
  at: number,
  peers: PairFindings['peers'],
  rounds: ReadonlyMap<string, readonly PairRound[]>,
): string {
  const rows = peers.map(({ name, label }) => {
    const all = rounds.get(name) ?? [];
    const speeds = all.map(({ perS }) => perS);
    const range = `${thousands(Math.min(...speeds))} – ${thousands(Math.max(...speeds))}`;
    const us = (of: (round: PairRound) => number) => `${median(all.map(of)).toFixed(1)} µs`;
    return [
      label,
      `${thousands(median(speeds))} (${range})`,
      us(({ clientUs }) => clientUs),
      us(({ redisUs }) => redisUs),
    ];
  });
  return markdownTable(
    [`${at} at once`, 'pairs per second', 'CPU of Node per pair', 'CPU of Redis per pair'],
    rows,
  );
}
