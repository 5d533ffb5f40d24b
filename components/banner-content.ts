import type { LeaseView, LockView } from './client/index.ts';
import type { GuardContext } from './lock-contexts.ts';
import { fillMessage, lockMessage, type LockMessageKey } from './lock-messages.ts';

/** What fills the places of a message. Times are milliseconds by this page's clock. */
export interface BannerValues {
  readonly name?: string;
  readonly since?: number;
  readonly end?: number;
  readonly message?: string;
}

/** What a banner says and offers. */
export interface BannerContent {
  readonly tone: 'held' | 'alert' | 'note';
  /** Announced once; it must not change while nothing has happened. */
  readonly text: LockMessageKey;
  /** Read along with it, silently: times that move with every renewal. */
  readonly details: readonly LockMessageKey[];
  readonly values: BannerValues;
  readonly action?: 'reload' | 'edit' | undefined;
  /** The holder the user would take over from. */
  readonly takeOverFrom?: string | undefined;
  /** Passes by itself, usually: shown only when it has lasted so long. Until then what was shown stays. */
  readonly quietMs?: number;
}

/** What the banner of a guard has to say; null = nothing. */
export function guardContent({ view, load, offersEdit }: GuardContext): BannerContent | null {
  if (view === null) return null;
  const values = lockValues(view);
  switch (view.state) {
    case 'claiming':
      return { tone: 'note', text: 'claiming', details: [], values, quietMs: 300 };
    case 'held':
      if (view.lock === null)
        return { tone: 'note', text: 'free', details: [], values, action: 'edit', quietMs: 1_000 };
      return { ...heldContent(values), takeOverFrom: takeOverFrom(view) };
    case 'lost':
      if (view.lock === null) {
        return {
          tone: 'alert',
          text: 'lapsed',
          details: ['keepText'],
          values,
          action: 'edit',
          quietMs: 1_000,
        };
      }
      return {
        tone: 'alert',
        text: 'lost',
        details: ['keepText', 'heldUntil'],
        values,
        takeOverFrom: takeOverFrom(view),
      };
    case 'mine':
      return mineContent(view, load, values);
    case 'unknown':
      return { tone: 'note', text: 'unknown', details: ['goOn'], values };
    case 'error': {
      const { code = '', message: reason = '' } = view.error ?? {};
      const message = code === '' ? reason : `${reason} (${code})`;
      return { tone: 'alert', text: 'error', details: ['goOn', 'reason'], values: { ...values, message } };
    }
    case 'released':
      return offersEdit ? { tone: 'note', text: 'released', details: [], values, action: 'edit' } : null;
    default:
      return null;
  }
}

/** What a banner without a guard has to say about a record. */
export function watchContent(view: LockView | null): BannerContent | null {
  if (view === null) return null;
  return view.mine ? { tone: 'note', text: 'mine', details: [], values: {} } : heldContent(lockValues(view));
}

/** A message without times as one plain text, names isolated from the direction of their surroundings. */
export function plainMessage(language: string, key: LockMessageKey, values: BannerValues): string {
  const { name = '', message = '' } = values;
  return fillMessage(lockMessage(language, key), { name: `\u2068${name}\u2069`, message }).join('');
}

function mineContent(
  view: LeaseView,
  load: GuardContext['load'],
  values: BannerValues,
): BannerContent | null {
  if (load === 'pending') return { tone: 'note', text: 'loading', details: [], values, quietMs: 300 };
  if (load === 'failed') return { tone: 'alert', text: 'loadFailed', details: [], values, action: 'reload' };
  if (view.stale) return { tone: 'alert', text: 'stale', details: ['reloadFirst'], values, action: 'reload' };
  if (view.foreignChange !== null) {
    const { by, operation } = view.foreignChange;
    const verb = operation === 'Deleted' ? 'deleted' : 'changed';
    return by === undefined
      ? { tone: 'alert', text: verb, details: [], values, action: 'reload' }
      : { tone: 'alert', text: `${verb}By`, details: [], values: { name: by.name }, action: 'reload' };
  }
  if (view.reconnecting) return { tone: 'note', text: 'reconnecting', details: ['reservedUntil'], values };
  return view.otherSessions > 0 ? { tone: 'note', text: 'otherWindow', details: [], values } : null;
}

function heldContent(values: BannerValues): BannerContent {
  return { tone: 'held', text: 'held', details: ['heldSince', 'heldUntil'], values };
}

function takeOverFrom({ canTakeOver, lock }: LeaseView): string | undefined {
  return canTakeOver ? lock?.holderOid : undefined;
}

function lockValues({ lock, endsAtMs }: Pick<LeaseView, 'lock' | 'endsAtMs'>): BannerValues {
  if (lock === null) return {};
  const since = Date.parse(lock.acquiredAtUtc);
  return {
    name: lock.holderName,
    ...(Number.isNaN(since) ? {} : { since }),
    ...(endsAtMs === null ? {} : { end: endsAtMs }),
  };
}
