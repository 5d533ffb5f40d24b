import { LitElement, html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatClock } from './page-locale.ts';

/** Whose doing an entry is: a person's, or the machinery's. */
export interface LogEntry {
  readonly who: string;
  /** `anna`, `ben`, `driver-app`, or `page`. Colours the name. */
  readonly whoKey: string;
  readonly text: string;
  /** The DOM event behind it, for those who read along. */
  readonly event?: string;
}

/** More would be history, not news. */
const KEEP = 60;

/** "What happened": the newest first. */
export class EventLog extends LitElement {
  static override properties = { entries: { state: true } };

  declare protected entries: readonly (LogEntry & { readonly id: number; readonly atMs: number })[];
  #nextId = 1;

  constructor() {
    super();
    this.entries = [];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  add(entry: LogEntry): void {
    this.entries = [{ ...entry, id: this.#nextId++, atMs: Date.now() }, ...this.entries].slice(0, KEEP);
  }

  protected override render(): TemplateResult {
    return html`<section class="log" data-testid="event-log" aria-labelledby="log-title">
      <header class="log-head">
        <h2 id="log-title">What happened</h2>
        <p>Lock events and writes, the newest first.</p>
      </header>
      <ol class="log-list" tabindex="0" aria-label="Events">
        ${
          this.entries.length === 0
            ? html`<li class="log-empty">Nothing yet.</li>`
            : repeat(
                this.entries,
                ({ id }) => id,
                ({ who, whoKey, text, event, atMs }) =>
                  html`<li>
                    <time datetime=${new Date(atMs).toISOString()}>${formatClock(atMs)}</time>
                    <span class="log-text"><strong data-user=${whoKey}>${who}</strong> ${text}</span>
                    ${event === undefined ? '' : html`<code>${event}</code>`}
                  </li>`,
              )
        }
      </ol>
    </section>`;
  }
}
