/** One record of the thousand that every grid shows. `uid` is drawn in the row as text. */
export interface GridRecord {
  uid: string;
  title: string;
  amount: number;
}

/** What a story does with a grid, whoever made it. */
export interface GridUnderTest {
  /** The elements that are drawn as rows at the moment, those that the grid keeps in reserve included. */
  rows(): readonly Element[];
  scrollTo(index: number): void | Promise<void>;
  sort(direction: 'asc' | 'desc'): void;
  /** Shows only records of which this is true. */
  filter(isShown: (record: GridRecord) => boolean): void;
  /** The row at `index` shows another record from now on. */
  replace(index: number, record: GridRecord): void;
}

export const GRID_SIZE = 1_000;

export function gridRecords(): GridRecord[] {
  return Array.from({ length: GRID_SIZE }, (_, index) => recordOf(`r${index}`));
}

export function recordOf(uid: string): GridRecord {
  return { uid, title: `Request ${uid}`, amount: (Number(uid.slice(1)) * 7_919) % 1_000 };
}

/** In the order in which a grid shows them, sorted by the number in their uid. */
export function inOrder(records: readonly GridRecord[], direction: 'asc' | 'desc'): GridRecord[] {
  const factor = direction === 'asc' ? 1 : -1;
  return [...records].sort((one, other) => factor * (numberOf(one) - numberOf(other)));
}

export function numberOf({ uid }: GridRecord): number {
  return Number(uid.slice(1));
}

/** The cell that every grid has twice in each row. */
export function lockCell(uid: string): HTMLElement {
  const cell = document.createElement('locked-by-cell');
  Object.assign(cell, { entityType: 'ApprovalRequest', entityUid: uid });
  return cell;
}
