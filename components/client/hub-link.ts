import type { EntityChange } from '../../core/entity-change.ts';
import { withDeadline } from './answer-deadline.ts';
import type { TransportListener, TransportSubscription } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';
import { retryDelayMs } from './retry-delays.ts';

/** A connection that lived so long was a good one: the next delays start small again. */
const STABLE_MS = 10_000;

/** The part of a SignalR `HubConnection` that is used here. */
export interface HubConnectionLike {
  /** Hears a client method that the hub calls. */
  on(event: string, listener: (...args: unknown[]) => void): void;
  /** Hears the end of the connection, with the error where there was one. */
  onclose(listener: (error?: Error) => void): void;
  /** Connects; rejects where that fails. */
  start(): Promise<void>;
  /** Ends the connection. */
  stop(): Promise<void>;
  /** Calls a hub method; resolves with its result. */
  invoke(method: string, ...args: unknown[]): Promise<unknown>;
}

export interface HubLinkOptions {
  readonly page: PageEnvironment;
  readonly listener: TransportListener;
  /** Builds a new, unstarted connection without automatic reconnection: every attempt gets one of its own. */
  readonly build: () => HubConnectionLike;
  /** Why a connection ended or could not be made. */
  readonly failed: (reason: string) => void;
}

/**
 * One hub connection that is there for good: the first start and every reconnection go through the same endless,
 * jittered loop, and an attempt that hangs (opening a WebSocket has no time limit of its own) is abandoned together
 * with its connection. So nothing is ever started twice, and nobody waits for a stop. Connects at once; reports
 * `connected`, then `resync`, when the subscription stands.
 */
export function hubLink({ page, listener, build, failed }: HubLinkOptions): TransportSubscription {
  let current: HubConnectionLike | null = null;
  let types: readonly string[] = [];
  let subscribed: readonly string[] = [];
  let isStopped = false;
  /** Infinity = it is not. */
  let upSince = Infinity;
  let attempt = 0;

  const isUp = () => upSince < Infinity;
  const subscribe = async (connection: HubConnectionLike) => {
    const named = types;
    await connection.invoke('Subscribe', named);
    subscribed = named;
  };
  /** Does something with a connection, and does without the connection where it fails or hangs. */
  const guard = (connection: HubConnectionLike, work: () => Promise<void>) => {
    withDeadline(page, work).catch((error: unknown) => down(connection, error));
  };
  const close = () => {
    page.timers.clear(timer);
    // It may hang as the start did, and there is nothing left to do about it.
    current?.stop().catch(() => {});
    current = null;
    if (!isUp()) return;
    upSince = Infinity;
    listener.connected(false);
  };
  const down = (connection: HubConnectionLike, error: unknown) => {
    if (connection !== current) return;
    if (page.monotonic() - upSince >= STABLE_MS) attempt = 0;
    close();
    failed(String(error));
    timer = page.timers.set(open, retryDelayMs(attempt++, page.random()));
  };
  const open = () => {
    page.timers.clear(timer);
    const connection = build();
    const isCurrent = () => connection === current;
    current = connection;
    subscribed = [];
    connection.on('EntityChanged', (change) => {
      if (isCurrent()) listener.changed(change as EntityChange);
    });
    connection.on('Resync', () => {
      if (isCurrent()) listener.resync();
    });
    connection.onclose((error) => down(connection, error));
    guard(connection, async () => {
      await connection.start();
      if (!isCurrent()) return connection.stop();
      await subscribe(connection);
      if (!isCurrent()) return;
      upSince = page.monotonic();
      listener.connected(true);
      listener.resync();
      setTypes(types);
    });
  };
  const setTypes = (entityTypes: readonly string[]) => {
    const connection = current;
    const added = entityTypes.filter((type) => !subscribed.includes(type));
    types = entityTypes;
    if (!isUp() || !connection || added.length === 0) return;
    guard(connection, async () => {
      await subscribe(connection);
      if (connection === current) listener.resync(added);
    });
  };
  let timer = page.timers.set(open, 0);

  return {
    setTypes,
    nudge() {
      const connection = current;
      if (isStopped) return;
      if (!connection) open();
      // One that died in a sleep does not answer.
      else if (isUp()) guard(connection, () => subscribe(connection));
    },
    stop() {
      isStopped = true;
      close();
    },
  };
}
