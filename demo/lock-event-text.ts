/** The guard's events that are worth a line. */
export const LOCK_EVENTS = [
  'lock-acquired',
  'lock-held',
  'lock-lost',
  'lock-released',
  'lock-unknown',
  'lock-error',
] as const;
export type LoggedLockEvent = HTMLElementEventMap[(typeof LOCK_EVENTS)[number]];

/** Says what a lock event means, to follow the person's name: "waits for REQ-2041: Ben Okafor is editing it". */
export function lockEventText(event: LoggedLockEvent): string {
  const uid = event.ref.entityUid;
  const holder = ('lock' in event ? event.lock?.holderName : null) ?? 'nobody';
  switch (event.type as (typeof LOCK_EVENTS)[number]) {
    case 'lock-acquired':
      return `now holds the lock on ${uid}`;
    case 'lock-held':
      return `waits for ${uid}: ${holder} is editing it`;
    case 'lock-lost':
      return `lost ${uid} to ${holder}; what was typed stays readable`;
    case 'lock-released':
      return `let go of ${uid}`;
    case 'lock-unknown':
      return `goes on with ${uid}: nobody can say who holds it`;
    case 'lock-error':
      return `goes on with ${uid} without a lock: the server refused one`;
  }
}
