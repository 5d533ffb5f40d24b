import type { Story } from '../catalogue/story.ts';
import { bannerFor, bannerTakeOver, bannerWatch } from './banner-alone.ts';
import { bannerStates } from './banner-states.ts';
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
import { lockList } from './lock-list.ts';

/** The catalogue, in the order of its navigation. */
export const ALL_STORIES: readonly Story[] = [
  guardMine,
  guardHeld,
  guardLost,
  guardReleased,
  guardReadonly,
  guardClaimEdit,
  guardClaimManual,
  guardStale,
  guardNewRecord,
  guardDrafts,
  guardAllowed,
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
];
