import { configure } from 'rowlock';

/** What an application has anyway: who the user is, and a token. Here both come from the address. */
const settings = new URLSearchParams(location.search);

export const user = settings.get('user') ?? 'anna';
export const uids = (settings.get('uids') ?? 'one,two,three').split(',');
/** The record that is open from the start. */
export const firstUid = settings.get('open');
/** Whether leaving the page gives the lock back. */
export const releasesOnLeave = settings.get('keep') === null;
/** Settings for a second user on the same page, where that is asked for. */
export const second = settings.get('second');

export const tokenOf = async (name: string): Promise<string> => (await fetch(`/token/${name}`)).text();

configure({ getToken: () => tokenOf(user) });

/** Registers the elements before anything is drawn, or (`?late`) when somebody calls `defineRowlock()`. */
export async function defineRowlock(): Promise<void> {
  const define = () => import('rowlock/define');
  if (settings.get('late') === null) await define();
  else Object.assign(globalThis, { defineRowlock: define });
}

/** The value that was typed when a lock was lost. */
export function typedNote(event: GlobalEventHandlersEventMap['lock-lost']): string {
  return String(event.getValues()['note'] ?? '');
}
