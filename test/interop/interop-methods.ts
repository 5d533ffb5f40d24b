import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubError, InvalidHubArguments, type Hub, type HubMethods } from '../../server/index.ts';
import { tokenFor } from '../support/test-tokens.ts';

/** For so long after its end, in seconds, a token is still taken: clocks differ. */
const CLOCK_TOLERANCE_S = 60;

/**
 * A token that our hubs take for so many seconds, which may be fractions; a negative number has run out already. The
 * whole second that a token's times are in is of no use to one that lives for a second.
 */
export function tokenThatLives(oid: string, livesS: number): Promise<string> {
  return tokenFor({ oid, expiresInS: livesS - CLOCK_TOLERANCE_S + (Date.now() % 1_000) / 1_000 });
}

export interface InteropMethodsOptions {
  /** Tells other nodes' hubs from this one. */
  readonly name: string;
  /** The hub that the methods belong to. */
  readonly hub: () => Hub;
  /** Breaks every TCP connection of the node. */
  readonly cut: () => void;
  /** A stream of this connection was disposed of before its end. */
  readonly cancelled: (connectionId: string) => void;
  readonly cancelledBy: (connectionId: string) => number;
}

/** One method for each thing that a client can ask of a hub. */
export function interopMethods({
  name,
  hub,
  cut,
  cancelled,
  cancelledBy,
}: InteropMethodsOptions): HubMethods {
  return {
    Echo: (_, value) => value,
    Add: (_, left, right) => number(left) + number(right),
    Nothing: () => {},
    Fail: () => {
      throw new HubError('told to the caller');
    },
    Crash: () => {
      throw new Error('never told');
    },
    WhoAmI: ({ connection: { id, principal, protocol } }) => {
      return { id, oid: principal.oid, node: name, protocol: protocol.name };
    },
    TokenThatLives: ({ connection: { principal } }, livesS) => tokenThatLives(principal.oid, number(livesS)),
    IsConnected: (_, id) => hub().connection(text(id)) !== undefined,
    Forbidden: { mayCall: () => false, run: () => 'never' },

    Join: ({ connection }, group) => connection.join(text(group)),
    Broadcast: (_, group, value) => hub().groups(text(group)).send('Heard', value),
    /** Sends 1, 2, 3, …, so many in each turn of the event loop. */
    Burst: async (_, group, count, perTurn) => {
      for (let value = 1; value <= number(count); value += 1) {
        hub().groups(text(group)).send('Heard', value);
        if (value % number(perTurn) === 0) await nextTurn();
      }
    },

    Count: {
      answersStream: true,
      async *run({ signal, connection }, until) {
        try {
          for (let value = 1; value <= number(until); value += 1) {
            if (signal.aborted) return;
            yield value;
            await nextTurn();
          }
        } finally {
          if (signal.aborted) cancelled(connection.id);
        }
      },
    },
    CountThenFail: {
      answersStream: true,
      async *run() {
        yield 1;
        await nextTurn();
        throw new Error('never told');
      },
    },
    CountThenSayWhy: {
      answersStream: true,
      async *run() {
        yield 1;
        await nextTurn();
        throw new HubError('told to the caller');
      },
    },
    FailBeforeStream: {
      answersStream: true,
      run: () => {
        throw new HubError('told to the caller');
      },
    },
    NoStream: { answersStream: true, run: () => 42 },
    /** Streams of this connection that were disposed of before their end. */
    Cancelled: ({ connection }) => cancelledBy(connection.id),

    Sum: {
      uploads: 1,
      async run({ uploads: [numbers] }, start) {
        let sum = number(start);
        for await (const value of numbers ?? []) sum += number(value);
        return sum;
      },
    },
    Doubled: {
      uploads: 1,
      answersStream: true,
      async *run({ uploads: [numbers] }) {
        for await (const value of numbers ?? []) yield 2 * number(value);
      },
    },

    Ask: ({ connection }, question) => connection.invoke('Question', question),

    Cut: cut,
    /** Says 1, 2 and 3, each in a turn of its own, and ends the connection: a client that polls is busy with the first. */
    SayLastWords: async ({ connection }) => {
      for (const value of [1, 2, 3]) {
        connection.send('Heard', value);
        if (value < 3) await nextTurn();
      }
      connection.close();
    },
    CloseForGood: ({ connection }) => connection.close(),
    CloseAndComeBack: ({ connection }) => connection.close({ allowReconnect: true }),
    CloseWithError: ({ connection }, error) => connection.close({ error: text(error) }),
  };
}

function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new InvalidHubArguments('expected a number');
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new InvalidHubArguments('expected text');
}
