import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { DeskActivity } from './desk-activity.ts';
import type { DemoUserKey } from './demo-users.ts';
import { driverAppWrites } from './driver-app.ts';
import { icon } from './icon.ts';
import { formatMoney } from './page-locale.ts';
import { RequestClient } from './request-client.ts';
import type { DeskOwner, UserDesk } from './user-desk.ts';

/** Who is in the office, and what is on the first desk. */
export interface OfficeSetting {
  readonly desks: readonly DemoUserKey[];
  /** The request to open at first. */
  readonly request: string | null;
  /** Whoever sits at a desk, and the driver app. Asked once for each. */
  readonly ownerOf: (user: DemoUserKey) => DeskOwner;
}

/**
 * The desks beside each other, and the driver app that writes to whatever was opened last. Fires `desk-activity` for
 * what the users do, and `office-select` when another request is the last one opened.
 */
export class ApprovalOffice extends LitElement {
  static override properties = {
    setting: { attribute: false },
    driving: { state: true },
    firstHasClaimed: { state: true },
  };

  declare setting: OfficeSetting | null;
  declare protected driving: boolean;
  /** The second desk opens its request after the first one has claimed: so it is Anna who has the lock. */
  declare protected firstHasClaimed: boolean;
  #owners = new Map<DemoUserKey, DeskOwner>();
  #lastDesk: UserDesk | null = null;

  constructor() {
    super();
    this.setting = null;
    this.driving = this.firstHasClaimed = false;
    this.addEventListener('lock-statechange', ({ state }) => {
      this.firstHasClaimed ||= state !== 'claiming';
    });
  }

  /** The id of the request that was opened last, where it is open still. */
  get selectedId(): string | null {
    return this.#lastDesk?.selectedId ?? null;
  }

  /** Light DOM: one stylesheet, labels and forms as on any page. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.setting === null) return nothing;
    const { desks, request } = this.setting;
    return html`<div class="office" data-desks=${desks.length}>
      <p class="office-actions">
        <button
          type="button"
          class="button"
          data-testid="driver-app"
          aria-disabled=${this.driving ? 'true' : nothing}
          title="The drivers’ app changes the amount and the ETA of the open request, whoever edits it."
          @click=${() => void this.#drive()}
        >
          ${icon('truck')}Driver app writes<span class="button-target">${this.selectedId ?? nothing}</span>
        </button>
        <span>It holds no lock and is stopped by none.</span>
      </p>
      <div class="desks">
        ${desks.map(
          (key, index) =>
            html`<user-desk
              .owner=${this.#owner(key)}
              .initialRequest=${index === 0 || this.firstHasClaimed ? request : null}
              @desk-select=${this.#selected}
            ></user-desk>`,
        )}
      </div>
    </div>`;
  }

  #owner(key: DemoUserKey): DeskOwner | null {
    const known = this.#owners.get(key);
    if (known !== undefined || this.setting === null) return known ?? null;
    const owner = this.setting.ownerOf(key);
    this.#owners.set(key, owner);
    return owner;
  }

  #selected(event: Event): void {
    this.#lastDesk = event.currentTarget as UserDesk;
    this.requestUpdate();
    this.dispatchEvent(new Event('office-select'));
  }

  async #drive(): Promise<void> {
    const id = this.selectedId;
    const owner = this.#owner('driver-app');
    if (owner === null || this.driving) return;
    if (id === null) {
      this.#tell('has nothing to do: open a request first.');
      return;
    }
    this.driving = true;
    try {
      const { amount, currency } = await driverAppWrites(new RequestClient(owner), id);
      this.#tell(`changed ${id}: now ${formatMoney(amount, currency)}, new ETA`, 'PUT 200');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#tell(`could not write ${id}: ${reason}`);
    } finally {
      this.driving = false;
    }
  }

  #tell(text: string, call?: string): void {
    this.dispatchEvent(new DeskActivity('driver-app', text, call));
  }
}
