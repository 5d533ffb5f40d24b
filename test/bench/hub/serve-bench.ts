import { createInterface } from 'node:readline';

/** What a bench tells a server, one JSON object a line. */
export type BenchCommand =
  /** Publish `perTurn` messages in each of `turns` turns of the event loop, `ahead` turns before the clients at most. */
  | {
      readonly do: 'publish';
      readonly turns: number;
      readonly perTurn: number;
      readonly ahead: number;
    }
  /** Every client has whole what the first `turns` turns sent. After the last one the server answers `BenchUsage`. */
  | { readonly do: 'delivered'; readonly turns: number }
  /** Answered by `BenchMemory`. */
  | { readonly do: 'memory' };

/** What a round cost the server's whole process, its helper threads included: user and system time, microseconds. */
export interface BenchUsage {
  readonly cpuUs: number;
}

/** Resident set after a garbage collection. */
export interface BenchMemory {
  readonly rssBytes: number;
}

/**
 * The half of a bench that runs in the server's process: says where it listens, obeys commands from stdin and ends
 * with it. `publish(index)` sends the index-th message to everybody; the index counts through the process' life.
 */
export function serveBench(port: number, publish: (index: number) => void): void {
  let run = { turns: 0, perTurn: 1, ahead: 1 };
  let published = 0;
  let delivered = 0;
  let messages = 0;
  let isScheduled = false;
  let before = process.cpuUsage();

  const schedule = () => {
    if (isScheduled || published >= run.turns || published - delivered >= run.ahead) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    isScheduled = false;
    for (let sent = 0; sent < run.perTurn; sent += 1) publish(messages++);
    published += 1;
    schedule();
  };
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const command = JSON.parse(line) as BenchCommand;
      switch (command.do) {
        case 'publish':
          run = command;
          published = 0;
          delivered = 0;
          before = process.cpuUsage();
          schedule();
          return;
        case 'delivered':
          delivered = command.turns;
          if (delivered === run.turns) say(usageSince(before));
          else schedule();
          return;
        case 'memory':
          // Twice: what the first collection finalises, the second one frees.
          for (let round = 0; round < 2; round += 1) globalThis.gc?.();
          say({ rssBytes: process.memoryUsage.rss() } satisfies BenchMemory);
      }
    })
    .on('close', () => process.exit(0));
  say({ port });
}

function usageSince(before: NodeJS.CpuUsage): BenchUsage {
  const { user, system } = process.cpuUsage(before);
  return { cpuUs: user + system };
}

function say(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
