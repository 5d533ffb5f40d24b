import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { ApprovalOffice, OfficeSetting } from './approval-office.ts';
import { onSystemColorScheme, toggleColorScheme } from './color-scheme.ts';
import { isStaticSite, type DemoBackend } from './demo-backend.ts';
import { DEMO_USERS, type DemoUserKey } from './demo-users.ts';
import type { EventLog } from './event-log.ts';
import { LOCK_EVENTS, lockEventText, type LoggedLockEvent } from './lock-event-text.ts';
import { backendHref, type PageSettings } from './page-settings.ts';
import { topBar } from './top-bar.ts';
import type { UserDesk } from './user-desk.ts';

/** Everything that `approvals.ts` found out before the page could start. */
export interface DemoPage {
  readonly settings: PageSettings;
  readonly backend: DemoBackend;
}

/** The page: top bar, desks, and what happened. */
export class DemoApp extends LitElement {
  static override properties = { page: { attribute: false } };

  declare page: DemoPage | null;
  #setting: OfficeSetting | null = null;
  #stop = () => {};

  constructor() {
    super();
    this.page = null;
    for (const type of LOCK_EVENTS) this.addEventListener(type, (event) => this.#lockEvent(event));
    this.addEventListener('desk-activity', ({ user, text, call }) => this.#log(user, text, call));
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

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('page') || this.page === null) return;
    const { settings, backend } = this.page;
    this.#setting = {
      desks: settings.desks,
      request: settings.request,
      ownerOf: (user) => ({ user: DEMO_USERS[user], getToken: backend.tokensFor(user) }),
    };
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('page') || this.page?.backend.serverMissing !== true) return;
    const text = 'found no server here, so everything runs on the mock backend.';
    this.querySelector<EventLog>('event-log')?.add({ whoKey: 'page', who: 'This page', text });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.page === null) return nothing;
    const { settings, backend } = this.page;
    const bar = topBar({
      brand: html`<h1>
        <strong>Nordfracht</strong> <span class="brand-dot" aria-hidden="true">·</span> My approvals
      </h1>`,
      backend: backend.kind,
      canSwitch: !isStaticSite(),
      switchBackend: () => this.#switchBackend(),
      toggleColorScheme: () => this.#toggleScheme(),
    });
    return html`${bar}
      <main class="page">
        ${
          settings.desks.length > 1
            ? html`<p class="intro">
                Two people, one inbox. Open the same request on both desks: the first one edits, and the
                other’s form opens by itself when it is free. Then save, approve, or let the driver app write
                in between.
              </p>`
            : nothing
        }
        <approval-office .setting=${this.#setting} @office-select=${this.#selected}></approval-office>
        <event-log></event-log>
      </main>`;
  }

  /** The address of a page with one desk always names what is open there. */
  #selected(event: Event): void {
    const { selectedId } = event.currentTarget as ApprovalOffice;
    if (this.page?.settings.desks.length !== 1 || selectedId === null) return;
    const query = new URLSearchParams(location.search);
    query.set('request', selectedId);
    history.replaceState(null, '', `?${query.toString()}`);
  }

  #switchBackend(): void {
    location.assign(backendHref(location.search, this.page?.backend.kind === 'mock' ? 'live' : 'mock'));
  }

  #toggleScheme(): void {
    toggleColorScheme();
    this.requestUpdate();
  }

  #lockEvent(event: LoggedLockEvent): void {
    const desk = event.target instanceof Element ? event.target.closest<UserDesk>('user-desk') : null;
    const key = desk?.owner?.user.key;
    if (key !== undefined) this.#log(key, lockEventText(event), event.type);
  }

  #log(whoKey: DemoUserKey, text: string, event?: string): void {
    const { name: who } = DEMO_USERS[whoKey].principal;
    const entry = { whoKey, who, text, ...(event === undefined ? {} : { event }) };
    this.querySelector<EventLog>('event-log')?.add(entry);
  }
}
