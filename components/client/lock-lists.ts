import { withDeadline } from './answer-deadline.ts';
import type { ClientContext } from './client-context.ts';
import { TransportError } from './lock-transport.ts';
import { retryDelayMs } from './retry-delays.ts';

interface List {
  dueAt: number;
  readonly attempt: number;
}

/** The lists of entity types: one call per type however many ask, repeated with growing delays until it succeeds. */
export function lockLists(context: ClientContext) {
  const { page, clock, locks, complain } = context;
  const lists = new Map<string, List>();

  /** Fetches a type's list in `delayMs`, instead of whatever was asked for before. */
  const fetch = (entityType: string, delayMs: number, attempt = 0) => {
    lists.set(entityType, { dueAt: clock.after(delayMs), attempt });
  };
  const load = async (entityType: string, list: List) => {
    list.dueAt = Infinity;
    // Answers of a time that is over: too late, or of the backend before.
    const isCurrent = () => lists.get(entityType) === list;
    try {
      const answer = await withDeadline(page, () => context.transport.list(entityType));
      if (!isCurrent()) return;
      if (answer.store === 'unavailable') throw new TransportError('No answer');
      locks.holderOid = answer.me.holderOid;
      locks.applyList(entityType, answer);
    } catch (error) {
      if (complain(error) || !isCurrent()) return;
      fetch(entityType, retryDelayMs(list.attempt, page.random()), list.attempt + 1);
    }
  };
  return {
    fetch,
    has: (entityType: string) => lists.has(entityType),
    /** Fetches what is due. */
    look(): void {
      for (const [entityType, list] of lists) {
        if (clock.isOver(list.dueAt)) void load(entityType, list);
      }
    },
    clear: () => lists.clear(),
  };
}
