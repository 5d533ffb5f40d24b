import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { onSystemColorScheme, toggleColorScheme } from './color-scheme.ts';
import { DEMO_USERS, type DemoUserKey } from './demo-users.ts';
import type { DeskActivity } from './desk-activity.ts';
import { driverAppWrites } from './driver-app.ts';
import type { EventLog } from './event-log.ts';
import { LOCK_EVENTS, lockEventText, type LoggedLockEvent } from './lock-event-text.ts';
import { formatMoney } from './page-locale.ts';
import { backendHref, type PageSettings } from './page-settings.ts';
import { RequestClient } from './request-client.ts';
import type { TokenSource } from './token-source.ts';
import { topBar } from './top-bar.ts';
import type { UserDesk } from './user-desk.ts';

/** Everything that `main.ts` found out before the page could start. */
export interface DemoPage {
  readonly settings: PageSettings;
  readonly tokensFor: (user: DemoUserKey) => TokenSource;
  /** No server answered, so the mock stands in. */
  readonly serverMissing: boolean;
}

/** The page: top bar, desks, and what happened. */
export class DemoApp extends LitElement {
  static override properties = {
    page: { attribute: false },
    driving: { state: true },
    firstHasClaimed: { state: true },
  };

  declare page: DemoPage | null;
  declare protected driving: boolean;
  /** With a request in the address, the second desk opens it after the first: so it is Anna who has the lock. */
  declare protected firstHasClaimed: boolean;
  #owners = new Map<DemoUserKey, UserDesk['owner']>();
  #lastDesk: UserDesk | null = null;
  #stop = () => {};

  constructor() {
    super();
    this.page = null;
    this.driving = this.firstHasClaimed = false;
    this.addEventListener('lock-statechange', ({ state }) => {
      this.firstHasClaimed ||= state !== 'claiming';
    });
    for (const type of LOCK_EVENTS) this.addEventListener(type, (event) => this.#lockEvent(event));
    this.addEventListener('desk-activity', (event) => this.#activity(event));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = onSystemColorScheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('page') && this.page?.serverMissing === true) {
      this.#log('page', 'This page', 'found no server here, so everything runs on the mock backend.');
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.page === null) return nothing;
    const { settings } = this.page;
    const bar = topBar({
      target: this.#lastDesk?.selectedId ?? null,
      driving: this.driving,
      mock: settings.backend === 'mock',
      drive: () => void this.#drive(),
      switchBackend: () => this.#switchBackend(),
      toggleColorScheme: () => this.#toggleScheme(),
    });
    return html`${bar}
      <main class="page" data-desks=${settings.desks.length}>
        ${
          settings.desks.length > 1
            ? html`<p class="intro">
                Two people, one inbox. Open the same request on both desks: the first one edits, and the
                other’s form opens by itself when it is free. Then save, approve, or let the driver app write
                in between.
              </p>`
            : nothing
        }
        <div class="desks">
          ${settings.desks.map(
            (key, index) =>
              html`<user-desk
                .owner=${this.#owner(key)}
                .initialRequest=${index === 0 || this.firstHasClaimed ? settings.request : null}
                @desk-select=${this.#selected}
              ></user-desk>`,
          )}
        </div>
        <event-log></event-log>
      </main>`;
  }

  #owner(key: DemoUserKey): UserDesk['owner'] {
    const known = this.#owners.get(key);
    if (known !== undefined || this.page === null) return known ?? null;
    const owner = { user: DEMO_USERS[key], getToken: this.page.tokensFor(key) };
    this.#owners.set(key, owner);
    return owner;
  }

  #selected(event: Event): void {
    const desk = event.currentTarget as UserDesk;
    this.#lastDesk = desk;
    this.requestUpdate();
    if (this.page?.settings.desks.length !== 1) return;
    const query = new URLSearchParams(location.search);
    if (desk.selectedId !== null) query.set('request', desk.selectedId);
    history.replaceState(null, '', `?${query.toString()}`);
  }

  async #drive(): Promise<void> {
    const id = this.#lastDesk?.selectedId ?? null;
    if (this.page === null || this.driving) return;
    if (id === null) {
      this.#log('driver-app', 'Driver app', 'has nothing to do: open a request first.');
      return;
    }
    this.driving = true;
    try {
      const client = new RequestClient(this.page.tokensFor('driver-app'));
      const { amount, currency } = await driverAppWrites(client, id);
      this.#log(
        'driver-app',
        'Driver app',
        `changed ${id}: now ${formatMoney(amount, currency)}, new ETA`,
        'PUT 200',
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log('driver-app', 'Driver app', `could not write ${id}: ${reason}`);
    } finally {
      this.driving = false;
    }
  }

  #switchBackend(): void {
    const next = this.page?.settings.backend === 'mock' ? 'live' : 'mock';
    location.assign(backendHref(location.search, next));
  }

  #toggleScheme(): void {
    toggleColorScheme();
    this.requestUpdate();
  }

  #lockEvent(event: LoggedLockEvent): void {
    const key = deskOf(event);
    if (key !== null) this.#log(key, DEMO_USERS[key].principal.name, lockEventText(event), event.type);
  }

  #activity(event: DeskActivity): void {
    const key = deskOf(event);
    if (key !== null) this.#log(key, DEMO_USERS[key].principal.name, event.text);
  }

  #log(whoKey: string, who: string, text: string, event?: string): void {
    const entry = { whoKey, who, text, ...(event === undefined ? {} : { event }) };
    this.querySelector<EventLog>('event-log')?.add(entry);
  }
}

/** The desk that an event comes from. */
function deskOf(event: Event): DemoUserKey | null {
  const desk = event.target instanceof Element ? event.target.closest<UserDesk>('user-desk') : null;
  return desk?.owner?.user.key ?? null;
}
