import type { HubSettings } from '../../server/index.ts';

/** What a node in a process of its own is told, as JSON. */
export interface NodeProcessOptions {
  readonly port: number;
  /** null = the embedded store. */
  readonly redisUrl: string | null;
  /** Without functions. */
  readonly hub?: Omit<HubSettings, 'clientAddress' | 'redirect'>;
  /** The proxy in front is trusted: its `X-Forwarded-For` is the client's address. */
  readonly isBehindProxy?: boolean;
}

/** The variable that carries them. */
export const NODE_OPTIONS_VARIABLE = 'ROWLOCK_TEST_NODE';

/** A hub request that reached a node, as its client named itself in the header `X-Test-Client`. */
export interface HubVisit {
  readonly client: string;
  readonly what: 'negotiate' | 'GET' | 'POST' | 'DELETE' | 'upgrade';
}

/** What a node says of itself at `GET /test/report`, with `?gc` after a garbage collection. */
export interface NodeReport {
  /** After a garbage collection, where that was asked for. */
  readonly rssBytes: number;
  /** What JavaScript has in use, its buffers included. */
  readonly heapBytes: number;
  /** The most resident memory there ever was. */
  readonly peakRssBytes: number;
  /** Of the hub. */
  readonly connections: number;
  /** TCP connections that were upgraded and are open. */
  readonly webSockets: number;
  /** Those with a client's name, since the last report. */
  readonly visits: readonly HubVisit[];
}
