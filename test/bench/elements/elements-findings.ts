import type { Versions } from '../measured-on.ts';
import type { CellTag, CellTimes } from './bench-page.ts';

/** What ours is compared with. */
export const CELLS_ASIDE: readonly (readonly [tag: CellTag, title: string])[] = [
  ['bare-lit-cell', 'a bare Lit element'],
  ['hand-written-cell', 'an element written by hand'],
];

export interface ElementsFindings {
  readonly rounds: number;
  /** Of the browser and of what ours is compared with. */
  readonly versions: Versions;
  /** One entry for each element and number of cells, a time for each round. */
  readonly cells: readonly {
    readonly tag: CellTag;
    readonly count: number;
    readonly times: readonly CellTimes[];
  }[];
  /** Milliseconds of one change, the fewest cells first. */
  readonly changes: readonly { readonly count: number; readonly ms: readonly number[] }[];
  readonly requests: { readonly rows: number; readonly lists: number; readonly connections: number };
  readonly bundle: readonly { readonly name: string; readonly gzip: number }[];
}
