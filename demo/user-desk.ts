import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { RowlockConfig } from '../components/client/index.ts';
import { DeskModel, type DeskAction } from './desk-model.ts';
import { DeskActivity } from './desk-activity.ts';
import { deskTransport } from './desk-transport.ts';
import type { DemoUser } from './demo-users.ts';
import { RequestClient } from './request-client.ts';
import { requestDetail } from './request-detail.ts';
import { requestGrid } from './request-grid.ts';
import { tappedTransport } from './tapped-transport.ts';
import type { TokenSource } from './token-source.ts';
import type { WireTap } from './wire-tap.ts';

/** Long enough to see that the lock came. */
const LET_GO_AFTER_MS = 2_000;
const PAST: Readonly<Record<DeskAction, string>> = { save: 'saved', approve: 'approved', reject: 'rejected' };

/** Who sits at a desk, and how the page speaks for them. */
export interface DeskOwner {
  readonly user: DemoUser;
  readonly getToken: TokenSource;
  /** Listens in on what this desk sends and hears. */
  readonly tap?: WireTap;
}

/**
 * One person's desk: their grid and their form, under a `<lock-provider>` with their token. In an application this is
 * the whole page; the demo shows two. Fires `desk-select` and `desk-activity` for the page around it.
 */
export class UserDesk extends LitElement {
  static override properties = {
    owner: { attribute: false },
    initialRequest: { attribute: false },
  };

  declare owner: DeskOwner | null;
  /** The request to open at first. */
  declare initialRequest: string | null;
  #model: DeskModel | null = null;
  #unsubscribe = () => {};
  /** The selection that `desk-select` told of. */
  #announced: string | null = null;
  #lockedUid = '';
  #lettingGo: ReturnType<typeof setTimeout> | undefined;
  #config: RowlockConfig | null = null;

  constructor() {
    super();
    this.owner = null;
    this.initialRequest = null;
  }

  /** The id of the open request. */
  get selectedId(): string | null {
    return this.#model?.selectedId ?? null;
  }

  /** Light DOM: one stylesheet, labels and forms as on any page. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe();
    clearTimeout(this.#lettingGo);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('owner') && this.owner !== null) this.#sitDown(this.owner);
    if (changed.has('initialRequest') && this.initialRequest !== null) {
      this.#model?.select(this.initialRequest);
    }
  }

  #sitDown(owner: DeskOwner): void {
    const model = new DeskModel(new RequestClient(owner));
    const transport = deskTransport(owner);
    this.#config = { transport: tappedTransport(transport, () => void this.#dataChanged()) };
    this.#unsubscribe();
    this.#model = model;
    this.#unsubscribe = model.subscribe(() => this.#modelChanged());
    void model.refresh();
  }

  protected override render(): TemplateResult | typeof nothing {
    const model = this.#model;
    if (this.owner === null || model === null) return nothing;
    const { key, principal, role } = this.owner.user;
    const waiting = model.rows.filter(({ status }) => status === 'open').length;
    return html`<section
      class="desk"
      data-testid="desk-${key}"
      data-user=${key}
      aria-labelledby="desk-${key}-name"
    >
      <lock-provider .config=${this.#config}>
        <header class="desk-head">
          <span class="avatar" aria-hidden="true">${initials(principal.name)}</span>
          <div>
            <h2 id="desk-${key}-name" class="desk-name">${principal.name}</h2>
            <p class="desk-role">${role}</p>
          </div>
          <p class="desk-count"><strong>${waiting}</strong> waiting for approval</p>
        </header>
        <div class="desk-body">
          ${requestGrid(model, principal.name)}
          <div class="detail">
            ${requestDetail({
              model,
              owner: this.owner.user,
              lockedUid: this.#lockedUid,
              acquired: (event) => this.#acquired(event),
              reload: (event) => this.#reload(event),
              write: (action) => void this.#write(action),
            })}
          </div>
        </div>
      </lock-provider>
    </section>`;
  }

  /** Rows follow at once; the form of whoever is editing does not: the guard's banner tells them, and they decide. */
  async #dataChanged(): Promise<void> {
    const guard = this.querySelector('lock-guard');
    const isEditing = this.#lockedUid !== '' && guard?.blocked === false;
    await this.#model?.refresh({ keepOpen: isEditing });
    // Decided by the same person in another window, which let go for this one too.
    if (guard?.state === 'released') this.#letGoOfDecided();
  }

  #modelChanged(): void {
    this.requestUpdate();
    if (this.#announced === this.selectedId) return;
    this.#announced = this.selectedId;
    // What was decided before needs no lock: nothing of it can be edited.
    this.#lockedUid = isDecided(this.#model) ? '' : (this.selectedId ?? '');
    this.dispatchEvent(new Event('desk-select'));
  }

  /** Claim, then load: a form that waited stays shut until it shows what the one before left behind. */
  #acquired(event: HTMLElementEventMap['lock-acquired']): void {
    event.waitUntil(this.#load());
    clearTimeout(this.#lettingGo);
    this.#lettingGo = setTimeout(() => this.#letGoOfDecided(), LET_GO_AFTER_MS);
  }

  /** Whoever waited for a request that was decided meanwhile has got a lock of no use. */
  #letGoOfDecided(): void {
    if (!isDecided(this.#model)) return;
    this.#lockedUid = '';
    this.requestUpdate();
  }

  /** The banner's "Reload": this page can do better than `location.reload()`, and keeps what was typed. */
  #reload(event: HTMLElementEventMap['lock-reload']): void {
    event.waitUntil(this.#load());
  }

  async #load(): Promise<void> {
    await this.#model?.reload();
    await this.updateComplete;
  }

  async #write(action: DeskAction): Promise<void> {
    const model = this.#model;
    const guard = this.querySelector('lock-guard');
    const id = model?.selectedId ?? null;
    if (this.owner === null || model === null || guard === null || id === null) return;
    const outcome = await model.write(action, guard.state === 'mine' ? guard.lock?.fence : undefined);
    // The server knows better than this page who holds the lock: ask at once instead of at the next renewal.
    if (outcome === 'entity-locked' || outcome === 'stale-fence') guard.claimNow();
    // The refusal is shown already; where loading fails too, the form stays as it is.
    if (outcome === 'stale-fence') await this.#load().catch(() => {});
    if (outcome === 'done' || outcome === 'version-conflict') guard.loaded();
    if (outcome !== 'done') return;
    this.dispatchEvent(new DeskActivity(this.owner.user.key, `${PAST[action]} ${id}`));
    if (action !== 'save') await this.#decided(id);
  }

  /** The decision let go of the lock. The button that was pressed is gone: the keyboard goes on at what it led to. */
  async #decided(id: string): Promise<void> {
    if (id !== this.selectedId) return;
    this.#lockedUid = '';
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>('.decision')?.focus({ preventScroll: true });
  }
}

function isDecided(model: DeskModel | null): boolean {
  const status = model?.open?.base.status;
  return status !== undefined && status !== 'open';
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((part) => part.slice(0, 1))
    .join('');
}
