/** One channel: how often it is wanted, and who waits for Redis' confirmation. */
export interface PendingSubscription {
  count: number;
  readonly confirmed: Promise<void>;
  readonly confirm: () => void;
  readonly fail: (error: Error) => void;
}

/** A channel that somebody has just begun to want. */
export function pendingSubscription(): PendingSubscription {
  let confirm = () => {};
  let fail: (error: Error) => void = () => {};
  const confirmed = new Promise<void>((resolve, reject) => {
    confirm = resolve;
    fail = reject;
  });
  confirmed.catch(() => {}); // whoever waits hears it; nobody has to wait
  return { count: 1, confirmed, confirm, fail };
}
