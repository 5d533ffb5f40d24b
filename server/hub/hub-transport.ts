/** SignalR's transports, in the order in which clients prefer them. */
export const HUB_TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

/** One of `HUB_TRANSPORTS`. */
export type HubTransport = (typeof HUB_TRANSPORTS)[number];
