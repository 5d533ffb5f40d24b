/** A call. Without an `invocationId` (absent, null or empty) nobody waits for an answer, and none may be sent. */
export interface InvocationMessage {
  readonly type: 1;
  readonly invocationId?: string;
  readonly target: string;
  readonly arguments: readonly unknown[];
  /** The upload streams that come with the call, in the order of the method's stream parameters. */
  readonly streamIds?: readonly string[];
}

/** One item of a stream, in either direction. */
export interface StreamItemMessage {
  readonly type: 2;
  readonly invocationId: string;
  readonly item: unknown;
}

/** The end of a call or of a stream: with an error, with a result (null is one), or with neither. */
export interface CompletionMessage {
  readonly type: 3;
  readonly invocationId: string;
  readonly error?: string;
  readonly result?: unknown;
}

/** A call that is answered by a stream. */
export interface StreamInvocationMessage {
  readonly type: 4;
  readonly invocationId: string;
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly streamIds?: readonly string[];
}

/** The caller wants no more of a stream. */
export interface CancelInvocationMessage {
  readonly type: 5;
  readonly invocationId: string;
}

/** A sign of life. */
export interface PingMessage {
  readonly type: 6;
}

/** The end of the connection, with an error or without; `allowReconnect` = the client may come back by itself. */
export interface CloseMessage {
  readonly type: 7;
  readonly error?: string;
  readonly allowReconnect?: boolean;
}

/**
 * SignalR's hub messages, in the shape of the JSON protocol (HubProtocol.md). Both directions use the same ones.
 * Types 8 and 9 belong to stateful reconnection, which is not negotiated; like every unknown type they are ignored.
 */
export type HubMessage =
  | InvocationMessage
  | StreamItemMessage
  | CompletionMessage
  | StreamInvocationMessage
  | CancelInvocationMessage
  | PingMessage
  | CloseMessage;
