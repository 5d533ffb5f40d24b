import { requestClient } from './client-request.ts';
import type { LockClient, LockView } from './client/index.ts';
import { lockMessage } from './lock-messages.ts';
import { namedEntity } from './named-entity.ts';
import { nearestLanguage } from './nearest-language.ts';
import { markRow } from './row-marking.ts';

// A plain element: a grid mounts thousands, and Lit's part of that would be the greater one. Node has no HTMLElement.
const Base = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement;

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
  static readonly observedAttributes = ['entity-type', 'entity-uid', 'row-selector'];

  #internals: ElementInternals | null = null;
  #name: HTMLElement | null = null;
  #client: LockClient | null = null;
  #view: LockView | null = null;
  #leaveClient = (): void => {};
  #unwatch = (): void => {};
  #unmark = (): void => {};

  /** The kind of record, as the server knows it. */
  get entityType(): string {
    return this.getAttribute('entity-type') ?? '';
  }

  set entityType(value: string | number | null | undefined) {
    this.setAttribute('entity-type', String(value ?? ''));
  }

  /** Which record. */
  get entityUid(): string {
    return this.getAttribute('entity-uid') ?? '';
  }

  set entityUid(value: string | number | null | undefined) {
    this.setAttribute('entity-uid', String(value ?? ''));
  }

  /** What a row looks like. */
  get rowSelector(): string {
    return this.getAttribute('row-selector') || 'tr, [role=row]';
  }

  set rowSelector(value: string | number | null | undefined) {
    this.setAttribute('row-selector', String(value ?? ''));
  }

  connectedCallback(): void {
    for (const name of ['entityType', 'entityUid', 'rowSelector'] as const) this.#upgrade(name);
    this.#leaveClient = requestClient(this, (client) => {
      this.#client = client;
      this.#watch();
    });
  }

  disconnectedCallback(): void {
    this.#leaveClient();
    this.#client = null;
    this.#watch();
  }

  /** Moved without being disconnected (`moveBefore`): the row may be another one. */
  connectedMoveCallback(): void {
    this.#show(this.#view);
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (this.#client === null || before === value) return;
    if (name === 'row-selector') this.#show(this.#view);
    else this.#watch();
  }

  /** A framework may have set properties before this class was there to receive them. */
  #upgrade(name: 'entityType' | 'entityUid' | 'rowSelector'): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- three names, all accessors of this class
    delete (this as Partial<LockedByCell>)[name];
    this[name] = value;
  }

  #watch(): void {
    this.#unwatch();
    this.#unwatch = () => {};
    this.#show(null);
    const entity = namedEntity(this.entityType, this.entityUid);
    if (this.#client === null || entity === null) return;
    this.#unwatch = this.#client.watch(entity, (view) => this.#show(view));
  }

  #show(view: LockView | null): void {
    this.#view = view;
    this.#unmark();
    this.#unmark = view === null ? () => {} : markRow(this, this.rowSelector, view.mine ? 'me' : 'other');
    // Most records are free: what shows a name is made when there is one.
    if (view === null && this.#name === null) return;
    const states = (this.#internals ??= this.attachInternals()).states;
    states.clear();
    if (view !== null) states.add(view.mine ? 'mine' : 'locked');
    const text =
      view === null ? '' : view.mine ? lockMessage(nearestLanguage(this), 'you') : view.lock.holderName;
    const name = (this.#name ??= this.#makeName());
    if (name.textContent !== text) name.textContent = text;
  }

  #makeName(): HTMLElement {
    // Isolates the direction of the name from that of the grid.
    const name = document.createElement('bdi');
    name.setAttribute('part', 'name');
    this.attachShadow({ mode: 'open' }).append(name);
    return name;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'locked-by-cell': LockedByCell;
  }
}
