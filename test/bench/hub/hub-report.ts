import { measuredOn, type Versions } from '../measured-on.ts';
import { whereSlower, type Comparison } from '../where-slower.ts';
import { SCENARIO_NAMES, type FanOutResult, type Rounds, type ScenarioName } from './fan-out.ts';
import { median } from './median.ts';
import type { Peer, PeerName, Peers } from './peers.ts';
import type { RoundResult } from './peer-under-test.ts';

export interface HubFindings {
  readonly peers: readonly Peer[];
  readonly missing: Peers['missing'];
  readonly clients: number;
  /** Of the peers. */
  readonly versions: Versions;
  readonly fanOut: FanOutResult;
  /** Idle connections, and the bytes that one of them costs; null = not measured. */
  readonly memory: { readonly connections: number; readonly bytes: ReadonlyMap<PeerName, number> } | null;
}

/** What we want of ourselves, ours against the peer, in speed and in CPU alike. Reported, not enforced. */
const AIMS: Readonly<Record<ScenarioName, Partial<Record<PeerName, number>>>> = {
  paced: { 'bare-ws': 1.1, 'socket.io': 1.6, aspnet: 1 },
  stream: { 'bare-ws': 1.1, 'socket.io': 1.6, aspnet: 1 },
  burst: { 'bare-ws': 2, 'socket.io': 1.6, aspnet: 1 },
};

const TITLES: Readonly<Record<ScenarioName, string>> = {
  paced: 'Single messages, each published when everybody has the one before',
  stream: 'Single messages at full speed, one in a turn of the event loop',
  burst: 'Bursts: 20 messages in one turn',
};

/** A server that used less of a core than this was waiting for its clients, or for a core. */
const BUSY = 0.85;

/** Cores that other programs may use before the report says that speeds cannot be trusted. */
const QUIET = 0.25;

/** The report in Markdown: ratios first, raw numbers as small print. */
export function hubReport(findings: HubFindings): string {
  const { clients, missing, fanOut, peers, memory, versions } = findings;
  const rounds = fanOut.paced.get('rowlock')?.length ?? 0;
  return [
    `One change of about 450 bytes to ${thousands(clients)} clients of one group, over WebSockets in JSON. Every server is a process of its own; one client process is the same for all.`,
    `Numbers are ratios, ours against the peer, the medians of ${rounds} rounds that were run in turn: **above 1 ours is better, below 1 the peer is.** Measured on ${measuredOn(versions)}.`,
    whereSlower(comparisons(findings)),
    ...disturbance(fanOut),
    ...missing.map(({ name, reason }) => `Not measured: ${name}: ${reason}.`),
    ...SCENARIO_NAMES.flatMap((name) => [`### ${TITLES[name]}`, ratioTable(peers, fanOut[name], AIMS[name])]),
    '† Ours or the peer used less than 85 % of a core: it waited for the clients or for a core, and the CPU time says more than the speed. The floor writes one ready frame to every socket in each turn, and does nothing else.',
    ...(memory === null ? [] : [`### Memory of an idle connection`, memoryTable(peers, memory)]),
    '### Raw numbers (small print: another machine has others)',
    ...SCENARIO_NAMES.flatMap((name) => [`${TITLES[name]}.`, rawTable(peers, fanOut[name])]),
    'Time from the publish command, single messages, each published when everybody has the one before.',
    pacedTable(peers, fanOut.paced),
  ].join('\n\n');
}

function ratioTable(peers: readonly Peer[], rounds: Rounds, aims: Partial<Record<PeerName, number>>): string {
  const ours = rounds.get('rowlock') ?? [];
  const rows = peers
    .filter(({ name }) => name !== 'rowlock')
    .map(({ name, label }) => {
      const theirs = rounds.get(name) ?? [];
      const { speed, cpu } = ratiosOf(ours, theirs);
      const waited = [ours, theirs].some((all) => median(all.map(({ serverLoad }) => serverLoad)) < BUSY);
      const aim = aims[name];
      return [
        label,
        `${ratioText(speed)}${waited ? ' †' : ''}`,
        ratioText(cpu),
        aim === undefined ? '–' : `≥ ${aim}`,
        aim === undefined ? '–' : verdict(speed, cpu, aim),
      ];
    });
  return table(['ours against', 'deliveries per second', 'CPU per delivery', 'aim', ''], rows);
}

/** Above 1 ours is better. */
function ratiosOf(ours: readonly RoundResult[], theirs: readonly RoundResult[]) {
  const ratio = (of: (our: RoundResult, their: RoundResult) => number) =>
    median(ours.flatMap((our, round) => (theirs[round] === undefined ? [] : [of(our, theirs[round])])));
  return {
    speed: ratio((our, their) => our.deliveriesPerS / their.deliveriesPerS),
    cpu: ratio((our, their) => their.cpuUsPerDelivery / our.cpuUsPerDelivery),
  };
}

/** All of the report's ratios, with the peers that are somebody else's. */
function comparisons({ peers, fanOut, memory }: HubFindings): readonly Comparison[] {
  const theirs = peers.filter(({ name }) => name !== 'rowlock' && name !== 'before');
  const ours = memory?.bytes.get('rowlock') ?? NaN;
  return theirs.flatMap(({ name, label }): Comparison[] => [
    ...SCENARIO_NAMES.flatMap((scenario): Comparison[] => {
      const rounds = fanOut[scenario];
      const { speed, cpu } = ratiosOf(rounds.get('rowlock') ?? [], rounds.get(name) ?? []);
      const [title = ''] = TITLES[scenario].toLowerCase().split(/[,:]/, 1);
      const when = scenario === 'paced' ? 'paced messages' : title;
      return [
        { against: label, measure: `speed of ${when}`, ratio: speed, better: 'above' },
        { against: label, measure: `CPU of ${when}`, ratio: cpu, better: 'above' },
      ];
    }),
    ...(memory === null
      ? []
      : [
          {
            against: label,
            measure: 'memory of an idle connection',
            ratio: (memory.bytes.get(name) ?? NaN) / ours,
            better: 'above' as const,
          },
        ]),
  ]);
}

function verdict(speed: number, cpu: number, aim: number): string {
  const missed = [...(speed < aim ? ['speed'] : []), ...(cpu < aim ? ['CPU'] : [])];
  return missed.length === 0 ? 'reached' : `**missed** in ${missed.join(' and ')}`;
}

function memoryTable(
  peers: readonly Peer[],
  { connections, bytes }: NonNullable<HubFindings['memory']>,
): string {
  const ours = bytes.get('rowlock') ?? NaN;
  const rows = peers.map(({ name, label }) => {
    const its = bytes.get(name) ?? NaN;
    return [label, `${(its / 1_024).toFixed(1)} KiB`, name === 'rowlock' ? '' : ratioText(its / ours)];
  });
  const head = `resident memory per connection, of ${thousands(connections)} idle ones, after a collection`;
  return table(['', head, 'ours against it'], rows);
}

function rawTable(peers: readonly Peer[], rounds: Rounds): string {
  const rows = peers.map(({ name, label }) => {
    const all = rounds.get(name) ?? [];
    const speeds = all.map(({ deliveriesPerS }) => deliveriesPerS);
    const of = (pick: (round: RoundResult) => number) => median(all.map(pick));
    return [
      label,
      `${thousands(median(speeds))} (${thousands(Math.min(...speeds))} – ${thousands(Math.max(...speeds))})`,
      `${of(({ cpuUsPerDelivery }) => cpuUsPerDelivery).toFixed(2)} µs`,
      of(({ messagesPerFrame }) => messagesPerFrame).toFixed(1),
      of(({ serverLoad }) => serverLoad).toFixed(2),
      of(({ clientLoad }) => clientLoad).toFixed(2),
    ];
  });
  const head = ['', 'deliveries per second (slowest – fastest round)', 'CPU per delivery'];
  return table([...head, 'messages in a frame', 'cores used by the server', 'by the clients'], rows);
}

function pacedTable(peers: readonly Peer[], rounds: Rounds): string {
  const rows = peers.map(({ name, label }) => {
    const all = rounds.get(name) ?? [];
    return [
      label,
      `${median(all.flatMap(({ halfMs }) => halfMs)).toFixed(1)} ms`,
      `${median(all.flatMap(({ allMs }) => allMs)).toFixed(1)} ms`,
    ];
  });
  return table(['', 'until half of the clients have it', 'until all have it'], rows);
}

/** Of a machine that was not ours alone. */
function disturbance(fanOut: FanOutResult): string[] {
  const rounds = SCENARIO_NAMES.flatMap((name) => [...fanOut[name].values()].flat());
  const others = median(rounds.map(({ othersLoad }) => othersLoad));
  if (others < QUIET) return [];
  return [
    `**The machine was busy:** other programs used ${others.toFixed(1)} of its cores. CPU times still compare; speeds and times hardly do.`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratioText(ratio: number): string {
  return ratio.toFixed(2);
}

function thousands(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
