/** What is heard of a set of channels, and when. */
export interface ChannelListener {
  readonly onMessage: (channel: string, message: string) => void;
  /** Channels are heard again, after a time in which they were not: once for each such time, after the confirmation. */
  readonly onResubscribed: () => void;
}

/** A set of channels that is kept subscribed over every loss of a connection. Counted: as many removals as additions. */
export interface ChannelSubscriptions {
  start(): void;
  /** Whoever still waits for a confirmation is refused. Harmless when called again. */
  stop(): void;
  /** Resolves when Redis has confirmed: nothing that is published after that is missed. */
  add(channel: string): Promise<void>;
  remove(channel: string): void;
}
