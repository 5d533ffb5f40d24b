import type { Story } from '../catalogue/story.ts';
import { bannerFor, bannerTakeOver, bannerWatch } from './banner-alone.ts';
import { bannerStates } from './banner-states.ts';
import { breakNotLockable, breakSignedOut } from './break-refused.ts';
import { breakApi, breakHub, breakRedis, breakSlow } from './break-store.ts';
import { bulkLocked } from './bulk-locked.ts';
import { cellLooks, cellTable } from './cell-table.ts';
import { gridAg } from './grid-ag.ts';
import { gridPlain } from './grid-plain.ts';
import { gridTabulator } from './grid-tabulator.ts';
import { gridVaadin } from './grid-vaadin.ts';
import { gridVirtualizer } from './grid-virtualizer.ts';
import { guardClaimEdit, guardClaimManual } from './guard-claim.ts';
import { guardDrafts } from './guard-drafts.ts';
import { guardEditor } from './guard-editor.ts';
import { guardHeld } from './guard-held.ts';
import { guardLost } from './guard-lost.ts';
import { guardMine } from './guard-mine.ts';
import { guardNewRecord } from './guard-new-record.ts';
import { guardOwnBanner } from './guard-own-banner.ts';
import { guardAllowed, guardReadonly } from './guard-readonly.ts';
import { guardReleased } from './guard-released.ts';
import { guardStale } from './guard-stale.ts';
import { languageChoice, languageOwnWords, languageRightToLeft } from './languages.ts';
import { lockList } from './lock-list.ts';
import { looksBeforeUpgrade } from './looks-before-upgrade.ts';
import { looksDark, looksForcedColors, looksNarrow, looksProperties } from './looks-plain.ts';
import { looksBootstrap, looksFluent, looksMaterial } from './looks-themes.ts';
import { timeAutomation } from './time-automation.ts';
import { timeIdle } from './time-idle.ts';
import { timeLease } from './time-lease.ts';
import { timeRescue } from './time-rescue.ts';
import { timeTwoTabs } from './time-two-tabs.ts';
import { twoPeople } from './two-people.ts';

/** The catalogue's stories, in the order of its navigation. */
export const ALL_STORIES: readonly Story[] = [
  twoPeople,

  guardMine,
  guardHeld,
  guardLost,
  guardReleased,
  guardReadonly,
  guardAllowed,
  guardClaimEdit,
  guardClaimManual,
  guardStale,
  guardNewRecord,
  guardDrafts,
  guardOwnBanner,
  guardEditor,

  bannerStates,
  bannerTakeOver,
  bannerFor,
  bannerWatch,

  cellTable,
  cellLooks,
  lockList,
  bulkLocked,

  gridPlain,
  gridVirtualizer,
  gridVaadin,
  gridTabulator,
  gridAg,

  looksProperties,
  looksBootstrap,
  looksMaterial,
  looksFluent,
  looksDark,
  looksForcedColors,
  looksNarrow,
  looksBeforeUpgrade,

  languageChoice,
  languageRightToLeft,
  languageOwnWords,

  breakRedis,
  breakSlow,
  breakHub,
  breakApi,
  breakSignedOut,
  breakNotLockable,

  timeIdle,
  timeTwoTabs,
  timeAutomation,
  timeRescue,
  timeLease,
];
