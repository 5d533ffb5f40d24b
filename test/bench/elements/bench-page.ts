import { LitElement, html } from 'lit';
import '../../../components/define.ts';
import { configure, type LockTransport, type TransportListener } from '../../../components/client/index.ts';
import type { LiveLock } from '../../../core/index.ts';

/** The elements that are compared, by their tag. */
export const CELLS = ['locked-by-cell', 'bare-lit-cell', 'hand-written-cell'] as const;
export type CellTag = (typeof CELLS)[number];

/** Milliseconds until the work was done, layout aside. */
export interface CellTimes {
  readonly mountMs: number;
  readonly updateMs: number;
}

/** What the page offers to the bench. */
export interface BenchPage {
  measure(tag: CellTag, count: number): Promise<CellTimes>;
  /** Milliseconds of one change among so many cells. */
  oneChange(count: number): Promise<number>;
  /** Requests and connections of a grid with so many rows. */
  requests(rows: number): Promise<{ readonly lists: number; readonly connections: number }>;
}

/** Shows two attributes, as ours does, and hears of nothing. */
class BareLitCell extends LitElement {
  static override properties = {
    entityType: { attribute: 'entity-type' },
    entityUid: { attribute: 'entity-uid' },
  };
  declare entityType: string;
  declare entityUid: string;

  protected override render(): unknown {
    return html`<bdi part="name">${this.entityUid === '' ? this.entityType : ''}</bdi>`;
  }
}
customElements.define('bare-lit-cell', BareLitCell);

/** The same by hand. */
class HandWrittenCell extends HTMLElement {
  static readonly observedAttributes = ['entity-type', 'entity-uid'];
  readonly #name = document.createElement('bdi');

  constructor() {
    super();
    this.#name.part.add('name');
    this.attachShadow({ mode: 'open' }).append(this.#name);
  }

  attributeChangedCallback(): void {
    this.#name.textContent = '';
  }
}
customElements.define('hand-written-cell', HandWrittenCell);

let listener: TransportListener | null = null;
const asked = { lists: 0, connections: 0 };
const refuse = (): Promise<never> => Promise.reject(new Error('Nothing is claimed here.'));
const transport: LockTransport = {
  capabilities: { sessions: true, fence: true, takeOver: true, grace: true, remainingMs: true },
  claim: refuse,
  renew: refuse,
  release: refuse,
  list: async () => {
    asked.lists += 1;
    return { locks: [], asOf: 1, me: { holderOid: 'me' }, store: 'ok' };
  },
  subscribe(own) {
    asked.connections += 1;
    queueMicrotask(() => {
      listener = own;
      own.connected(true);
      own.resync();
    });
    return { setTypes: () => {}, nudge: () => {}, stop: () => {} };
  },
};
configure({ transport });

// Not laid out: that costs the same whatever is in the cells, and ten thousand rows of it hide what is compared.
const place = document.createElement('table');
place.hidden = true;
document.body.append(place);
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

function rowsOf(tag: CellTag, count: number): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = Array.from(
    { length: count },
    (_, index) =>
      `<tr><td>Order ${index}</td><td><${tag} entity-type="Order" entity-uid="${index}"></${tag}></td></tr>`,
  ).join('');
  return template.content;
}

/** Runs work, and the microtasks that follow from it. */
async function timed(work: () => void): Promise<number> {
  collect();
  await tick();
  const started = performance.now();
  work();
  // Lit draws in a microtask, our cells hear what is known in one.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return performance.now() - started;
}

let at = 1;
function tell(entityUid: string, operation: 'Acquired' | 'Released'): void {
  at += 1;
  const lock: LiveLock = {
    entityType: 'Order',
    entityUid,
    holderOid: 'anna',
    holderName: 'Anna Berger',
    acquiredAtUtc: '2026-01-15T13:00:00Z',
    expiresAtUtc: '2026-01-15T13:05:00Z',
    expiresInMs: 300_000,
    fence: 1,
    at,
  };
  listener?.changed({ entityType: 'Order', entityUid, operation, lock, fence: 1, at });
}

const page: BenchPage = {
  async measure(tag, count) {
    const rows = rowsOf(tag, count);
    const mountMs = await timed(() => place.append(rows));
    const cells = [...place.querySelectorAll(tag)];
    const updateMs = await timed(() =>
      cells.forEach((cell, index) => cell.setAttribute('entity-uid', `${index + 1}`)),
    );
    place.textContent = '';
    await tick();
    return { mountMs, updateMs };
  },
  async oneChange(count) {
    place.append(rowsOf('locked-by-cell', count));
    await pause(500);
    const changes = 200;
    collect();
    await tick();
    const started = performance.now();
    for (let change = 0; change < changes; change += 1) tell('7', change % 2 === 0 ? 'Acquired' : 'Released');
    const ms = (performance.now() - started) / changes;
    place.textContent = '';
    await tick();
    return ms;
  },
  async requests(rows) {
    // A connection outlives its last user by a second.
    await pause(1_500);
    asked.lists = asked.connections = 0;
    place.append(rowsOf('locked-by-cell', rows));
    await pause(1_500);
    place.textContent = '';
    return { ...asked };
  },
};
Object.assign(globalThis, { page });
