import type { LeaseView, LockView } from './client/index.ts';
import type { IdleNotice } from './idle-release.ts';
import { BANNER_TEXTS, type BannerText } from './lock-messages.ts';

/** What a banner says and offers. */
export interface BannerContent {
  /** Announced once; it must not change while nothing has happened. */
  readonly text: keyof typeof BANNER_TEXTS;
  readonly row: BannerText;
  /** What fills the places of its messages: times by this page's clock, NaN or undefined where they are not known. */
  readonly values: {
    readonly name?: string | undefined;
    readonly since: number;
    readonly end?: number | undefined;
    readonly message?: string | undefined;
  };
  /** The holder the user would take over from. */
  readonly takeOverFrom: string | undefined;
}

/** What the banner of a form has to say; null = nothing. `isLoading` is null where loading has failed. */
export function formContent(
  view: LeaseView,
  {
    isLoading,
    offersEdit,
    notice,
  }: { readonly isLoading: boolean | null; readonly offersEdit: boolean; readonly notice: IdleNotice },
): BannerContent | null {
  const { state, lock, stale, foreignChange, reconnecting, otherSessions } = view;
  switch (state) {
    case 'idle':
      return null;
    case 'claiming':
      return content('wait', view);
    case 'held':
    case 'lost':
      return content(lock === null ? 'free' : state, view);
    case 'released':
      return offersEdit ? content(state, view) : null;
    case 'mine':
      if (isLoading !== false) return content(isLoading === null ? 'loadFailed' : 'wait', view);
      if (foreignChange?.operation === 'Deleted') return content('deleted', view);
      if (stale || foreignChange !== null) return content('changed', view);
      if (notice) return content(notice, view);
      if (reconnecting) return content('reconnecting', view);
      return otherSessions > 0 ? content('otherWindow', view) : null;
    default:
      return content('unknown', view);
  }
}

/** What a banner without a form has to say about a record. */
export function watchContent(view: LockView | null): BannerContent | null {
  return view && content(view.mine ? 'mine' : 'held', view);
}

function content(
  text: BannerContent['text'],
  view: Pick<LeaseView, 'lock' | 'endsAtMs'> & Partial<LeaseView>,
): BannerContent {
  const { lock, endsAtMs, canTakeOver, foreignChange, error } = view;
  return {
    text,
    row: BANNER_TEXTS[text],
    values: {
      name: /changed|deleted/.test(text) ? foreignChange?.by?.name : lock?.holderName,
      since: Date.parse(lock?.acquiredAtUtc ?? ''),
      end: endsAtMs ?? undefined,
      message: error?.code ? `${error.message} (${error.code})` : error?.message,
    },
    takeOverFrom: canTakeOver && /held|lost/.test(text) ? lock?.holderOid : undefined,
  };
}
