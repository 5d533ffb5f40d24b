import type { GridRecord, GridUnderTest } from './grid-under-test.ts';

/** What is drawn of one row. */
export interface SeenRow {
  readonly uid: string;
  readonly mark: string | null;
  /** Opacity of each cell as it is drawn, in their order. */
  readonly opacities: readonly number[];
}

/** Looks at a grid as a person does: at what is drawn, in every frame. */
export class GridWitness {
  readonly grid: GridUnderTest;
  /** Marks that were wrong in some frame. */
  readonly wrong = new Set<string>();
  /** Frames that were looked at. */
  frames = 0;
  /** Records that were seen in some frame. */
  readonly seen = new Set<string>();
  #locked: ReadonlySet<string> = new Set();
  #isWatching = false;

  constructor(grid: GridUnderTest) {
    this.grid = grid;
    const look = (): void => {
      if (this.#isWatching) this.#look();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }

  /** From now on exactly these records are locked, and every frame has to show it. */
  watch(locked: readonly string[]): void {
    this.#locked = new Set(locked);
    this.#isWatching = true;
  }

  /** Locks are about to change. */
  pause(): void {
    this.#isWatching = false;
  }

  rows(): SeenRow[] {
    return this.#drawn().map(([row, uid]) => ({
      uid,
      mark: row.getAttribute('data-locked-by'),
      opacities: [...row.querySelectorAll('td,[role=gridcell]')].map((cell) => opacityIn(row, cell)),
    }));
  }

  /** Whether exactly the rows of these records are marked, among them one that shows `uid`. */
  isRight(locked: readonly string[], uid: string): boolean {
    const rows = this.rows();
    const isMarked = (row: SeenRow): boolean => row.mark === (locked.includes(row.uid) ? 'other' : null);
    return rows.some((row) => row.uid === uid) && rows.every(isMarked);
  }

  #look(): void {
    this.frames += 1;
    for (const [row, uid] of this.#drawn()) {
      this.seen.add(uid);
      const isMarked = row.hasAttribute('data-locked-by');
      if (isMarked === this.#locked.has(uid)) continue;
      // A grid may draw its cells some frames after the row: nothing is there yet that could mark it.
      if (isMarked || nodesOf(row).some((node) => nameOf(node) === uid)) {
        this.wrong.add(`${uid} ${isMarked ? 'is marked' : 'is not marked'}`);
      }
    }
  }

  /** The rows that show a record, and which. */
  #drawn(): (readonly [row: Element, uid: string])[] {
    return this.grid.rows().flatMap((row) => {
      if (!row.checkVisibility({ visibilityProperty: true })) return [];
      const text = nodesOf(row)
        .map((node) => (node instanceof Text ? node.data : ''))
        .join(' ');
      const uid = /\br\d+\b/.exec(text)?.[0];
      return uid === undefined ? [] : [[row, uid]];
    });
  }
}

/** Everything that is drawn inside: slots are followed, and so are shadow trees other than our own. */
function nodesOf(node: Node): Node[] {
  const inside =
    node instanceof HTMLSlotElement && node.assignedNodes().length > 0
      ? node.assignedNodes()
      : [...node.childNodes];
  return [node, ...inside.flatMap(nodesOf)];
}

/** What is left of a cell's opacity with that of everything around it. */
function opacityIn(row: Element, cell: Element): number {
  const own = Number(getComputedStyle(cell).opacity);
  return cell === row || cell.parentElement === null ? own : own * opacityIn(row, cell.parentElement);
}

function nameOf(node: Node): string | undefined {
  return node instanceof HTMLElement ? (node as Partial<{ entityUid: string }>).entityUid : undefined;
}

/** What a page offers to its story. */
export interface GridPage {
  readonly witness: GridWitness;
  readonly grid: GridUnderTest;
  recordOf(uid: string): GridRecord;
}
