/** SignalR's transports, in the order in which clients prefer them. */
export const HUB_TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

export type HubTransport = (typeof HUB_TRANSPORTS)[number];
