import type { LockView } from './client/index.ts';
import { onLanguageChange } from './language-changes.ts';
import { lockMessage } from './lock-messages.ts';
import { LockWatch } from './lock-watch.ts';
import { nearestLanguage } from './nearest-language.ts';
import { markRow } from './row-marking.ts';

// A plain element: a grid mounts thousands, and Lit's part of that would be the greater one. Node has no HTMLElement.
const Base = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement;

const PROPERTIES = { entityType: 'entity-type', entityUid: 'entity-uid', rowSelector: 'row-selector' };

/**
 * Names the person who is editing the record of a grid's row: "You" for the user, nothing while it is free. Marks its
 * row `data-locked-by="other"` or `"me"`, and dims the other cells of a row that somebody else holds.
 *
 * @tagname locked-by-cell
 * @customElement locked-by-cell
 * @attr {string} entity-type - The kind of record, as the server knows it.
 * @attr {string} entity-uid - Which record. It may change at any time: grids recycle their cells.
 * @attr {string} row-selector - What a row looks like; `tr, [role=row]` by default. Found through shadow boundaries.
 * @csspart name - The name.
 * @cssState locked - Somebody else is editing the record.
 * @cssState mine - The user is editing it.
 * @cssprop --lock-dim-opacity - Opacity of the other cells of a locked row (0.65). Below that, contrast suffers.
 */
export class LockedByCell extends Base {
  static readonly observedAttributes = Object.values(PROPERTIES);

  /** The kind of record, as the server knows it. */
  declare entityType: string;
  /** Which record. */
  declare entityUid: string;
  /** What a row looks like. */
  declare rowSelector: string;

  readonly #watch = new LockWatch(this, (view) => this.#show(view));
  readonly #states = this.attachInternals().states;
  /** Isolates the direction of the name from that of the grid. */
  readonly #name = document.createElement('bdi');
  #view: LockView | null = null;
  #unmark = (): void => {};

  constructor() {
    super();
    this.#name.part.add('name');
    this.attachShadow({ mode: 'open' }).append(this.#name);
  }

  connectedCallback(): void {
    // A framework may have set properties before this class was there to receive them.
    for (const name of Object.keys(PROPERTIES)) {
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (early !== undefined && Reflect.deleteProperty(this, name)) Reflect.set(this, name, early.value);
    }
    this.#watch.start();
  }

  disconnectedCallback(): void {
    this.#watch.stop();
  }

  /** Moved without being disconnected (`moveBefore`): the row may be another one. */
  connectedMoveCallback(): void {
    this.#show(this.#view);
  }

  attributeChangedCallback(): void {
    this.#watch.update();
    this.#show(this.#view);
  }

  #show(view: LockView | null): void {
    this.#view = view;
    this.#unmark();
    this.#unmark = () => {};
    this.#states.clear();
    this.#name.textContent = '';
    if (view === null) return;
    const { mine, lock } = view;
    this.#states.add(mine ? 'mine' : 'locked');
    const say = (): void => {
      this.#name.textContent = mine ? lockMessage(nearestLanguage(this), 'you') : lock.holderName;
    };
    say();
    const unmark = markRow(this, this.rowSelector || 'tr, [role=row]', mine ? 'me' : 'other');
    const unhear = onLanguageChange(say);
    this.#unmark = () => {
      unmark();
      unhear();
    };
  }
}

for (const [name, attribute] of Object.entries(PROPERTIES)) {
  Object.defineProperty(LockedByCell.prototype, name, {
    get(this: LockedByCell) {
      return this.getAttribute(attribute) ?? '';
    },
    set(this: LockedByCell, value?: string | number | null) {
      this.setAttribute(attribute, String(value ?? ''));
    },
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'locked-by-cell': LockedByCell;
  }
}
