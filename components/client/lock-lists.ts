import { withDeadline } from './answer-deadline.ts';
import type { ClientContext } from './client-context.ts';
import { TransportError } from './lock-transport.ts';
import { retryDelayMs } from './retry-delays.ts';

/**
 * Without the hub, what somebody waits for is asked for so often, in milliseconds, give or take a third: often enough
 * for people who wait, half as often as a hub that is back is found at the latest, and a small part of any budget.
 */
const POLL_EVERY_MS = 15_000;

interface List {
  dueAt: number;
  readonly attempt: number;
  /** Before, nobody has asked; `fresh`: the answer is in the map, and nothing else was asked for since. */
  state?: 'wanted' | 'fresh';
}

/**
 * The lists of entity types: one call per type however many ask, repeated with growing delays until it succeeds. And
 * what pages do without the hub.
 */
export function lockLists(context: ClientContext) {
  const { page, clock, locks, complain } = context;
  const lists = new Map<string, List>();
  let pollAt = Infinity;

  /** Fetches a type's list in `delayMs`, instead of whatever was asked for before. */
  const fetch = (entityType: string, delayMs: number, attempt = 0) => {
    lists.set(entityType, { dueAt: clock.after(delayMs), attempt });
  };
  const load = async (entityType: string, list: List) => {
    list.dueAt = Infinity;
    delete list.state;
    // Answers of a time that is over: too late, or of the backend before.
    const isCurrent = () => lists.get(entityType) === list;
    try {
      const answer = await withDeadline(page, () => context.transport.list(entityType));
      if (!isCurrent()) return;
      if (answer.store === 'unavailable') throw new TransportError('No answer');
      locks.holderOid = answer.me.holderOid;
      list.state = 'fresh';
      locks.applyList(entityType, answer);
    } catch (error) {
      if (complain(error) || !isCurrent()) return;
      fetch(entityType, retryDelayMs(list.attempt, page.random()), list.attempt + 1);
    }
  };
  const isFresh = (entityType: string) => lists.get(entityType)?.state === 'fresh';
  const nextPoll = () => clock.after(POLL_EVERY_MS * (2 / 3 + (page.random() * 2) / 3));
  return {
    fetch,
    /** Fetches a list for the first time, in `delayMs`. */
    want(entityType: string, delayMs: number): void {
      if (!lists.has(entityType))
        lists.set(entityType, { dueAt: clock.after(delayMs), attempt: 0, state: 'wanted' });
    },
    isWanted: (entityType: string) => lists.get(entityType)?.state === 'wanted',
    /** Whether the map shows all locks of a type, as far as this page has heard since. */
    isFresh,
    /** Fetches what is due. */
    look(): void {
      for (const [entityType, list] of lists) {
        if (clock.isOver(list.dueAt)) void load(entityType, list);
      }
    },
    /** While the hub is away and the page is seen, fetches these types now and then. Call it at every look. */
    poll(entityTypes: Iterable<string>): void {
      if (context.isConnected) pollAt = Infinity;
      else if (pollAt === Infinity) pollAt = nextPoll();
      else if (page.isVisible() && clock.isOver(pollAt)) {
        pollAt = nextPoll();
        // What is on its way, or is tried again with growing delays, or was refused for good, is left to that.
        for (const type of entityTypes) if (!lists.has(type) || isFresh(type)) fetch(type, 1);
      }
    },
    clear(): void {
      lists.clear();
      pollAt = Infinity;
    },
  };
}
