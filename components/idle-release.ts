import type { LeaseState } from './client/lease-state.ts';
import { pageClock } from './client/page-clock.ts';
import { browserPage } from './client/page-environment.ts';

/** The warning comes so long before the release, in milliseconds. WCAG 2.2.1 asks for 20 s at least. */
const WARNING_MS = 60_000;

/** What a banner says to somebody who does nothing: the record will soon be free, or it could not be saved. */
export type IdleNotice = '' | 'idle' | 'saveFailed';

/** The form that is watched. */
export interface IdleForm extends EventTarget {
  /** Milliseconds; 0 = for ever. */
  readonly idleAfter: number;
  /** Saves and lets go, unless `isStillIdle` says no after the saving. Rejects where that has failed. */
  release(isStillIdle: () => boolean): Promise<unknown>;
  /** The person is back. */
  claimUnobtrusively(): void;
  /** The notice has changed. */
  apply(): void;
}

/** See {@link idleRelease}. */
export interface IdleRelease {
  notice: IdleNotice;
  /** The lock was let go here, and nobody has come back. */
  isAway: boolean;
  /** What has become of the form's lock. Cheap, idempotent. */
  follow(state: LeaseState): void;
  /** The form has left the page. Idempotent. */
  stop(): void;
}

/**
 * Lets go of a form's lock when nobody has done anything in it for `idleAfter`, and gets it back when somebody returns.
 * The warning comes a minute before, or after half of the time where that is less than two. Nobody meets the end
 * unwarned: after a sleep past both, the warning comes first. A save that fails, or `isStillIdle`, keeps the lock.
 */
export function idleRelease(form: IdleForm, page = browserPage): IdleRelease {
  let isCounting = false;
  let dueAt = Infinity;
  /** Grows whenever there is a reason not to let go after all. */
  let turn = 0;
  let unhear: (() => void) | null = null;

  const say = (notice: IdleNotice) => {
    if (idle.notice === notice) return;
    idle.notice = notice;
    form.apply();
  };
  const begin = (notice: IdleNotice = '') => {
    turn += 1;
    dueAt = clock.after(Math.max(form.idleAfter - WARNING_MS, form.idleAfter / 2));
    say(notice);
  };
  const rest = () => {
    turn += 1;
    isCounting = false;
    clock.stop();
    idle.notice = '';
  };
  const end = (own = turn) => {
    const goOn = (notice?: IdleNotice) => own === turn && begin(notice);
    form
      .release(() => (idle.isAway = own === turn))
      .then(
        () => goOn(),
        (error: unknown) => {
          // eslint-disable-next-line no-console -- the application's own failure, which would vanish here
          console.error('Rowlock: saving has failed.', error);
          goOn('saveFailed');
        },
      );
  };
  const clock = pageClock(page, () => {
    if (!clock.isOver(dueAt)) return;
    const isWarned = idle.notice === 'idle';
    dueAt = isWarned ? Infinity : clock.after(Math.min(WARNING_MS, form.idleAfter / 2));
    if (isWarned) end();
    else say('idle');
  });

  const idle: IdleRelease = {
    notice: '',
    isAway: false,
    follow(state) {
      const counts = state === 'mine' && form.idleAfter > 0;
      if (counts !== isCounting) {
        if (counts) begin();
        else rest();
      }
      isCounting = counts;
      idle.isAway &&= state === 'released';
      if (counts || idle.isAway)
        unhear ??= page.onMoment((moment, event) => {
          // What scripts announce is nobody.
          if (moment === 'leave' || (moment === 'input' && !event?.isTrusted)) return;
          // A network may come back while nobody is there.
          if (idle.isAway && event?.type !== 'online' && page.isVisible()) form.claimUnobtrusively();
          else if (isCounting && moment === 'input' && event?.composedPath().includes(form)) begin();
        });
    },
    stop() {
      rest();
      unhear?.();
      unhear = null;
    },
  };
  return idle;
}
