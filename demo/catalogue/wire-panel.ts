import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { DEMO_USERS } from '../demo-users.ts';
import type { WireCall, WireEntry, WireLog, WireParty } from '../wire-log.ts';

/** "What happens on the wire": calls and hub messages, the newest first. Never a token or a body. */
export class WirePanel extends LitElement {
  static override properties = { log: { attribute: false } };

  declare log: WireLog | null;
  #unsubscribe = () => {};

  constructor() {
    super();
    this.log = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('log')) return;
    this.#unsubscribe();
    this.#unsubscribe = this.log?.subscribe(() => this.requestUpdate()) ?? (() => {});
  }

  protected override render(): TemplateResult {
    const entries = this.log?.entries ?? [];
    return html`<section class="panel" data-testid="wire" aria-labelledby="wire-title">
      <header class="panel-head">
        <h2 id="wire-title">What happens on the wire</h2>
        <p>HTTP calls and hub messages, the newest first.</p>
      </header>
      <ol class="wire-list" tabindex="0" aria-label="Calls and messages">
        ${
          entries.length === 0
            ? html`<li class="log-empty">Nothing yet.</li>`
            : repeat(entries, ({ id }) => id, line)
        }
      </ol>
    </section>`;
  }
}

function line(entry: WireEntry): TemplateResult {
  const who = html`<span class="wire-who" data-user=${entry.party.user}>${partyName(entry.party)}</span>`;
  if (entry.kind === 'message') {
    return html`<li data-kind="message">
      ${who}<span class="wire-text"
        ><span class="wire-verb">${entry.target === '' ? 'hub' : entry.target}</span> ${entry.text}</span
      >
    </li>`;
  }
  const { method, path, status } = entry;
  return html`<li data-kind="call" data-outcome=${outcome(status)}>
    ${who}<span class="wire-text"><span class="wire-verb">${method}</span> ${breakable(path)}</span>
    <span class="wire-status">${statusText(entry)}</span>
  </li>`;
}

function partyName({ user, elsewhere }: WireParty): TemplateResult {
  const [first] = user === 'driver-app' ? ['Driver app'] : DEMO_USERS[user].principal.name.split(' ');
  return html`${first}${elsewhere ? html` <span class="wire-where">elsewhere</span>` : nothing}`;
}

function outcome(status: number | null): string {
  if (status === null) return 'waiting';
  return status >= 200 && status < 300 ? 'good' : 'bad';
}

function statusText({ status, tookMs }: WireCall): string {
  if (status === null) return '…';
  return `${status === 0 ? 'no answer' : status} · ${Math.round(tookMs)} ms`;
}

/** A path that may break after its slashes. */
function breakable(path: string): readonly (TemplateResult | string)[] {
  return path.split(/(?<=[/?&])/).flatMap((part) => [part, html`<wbr />`]);
}
