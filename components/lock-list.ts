import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { refKey } from '../core/entity-ref.ts';
import type { LockClient, LockView } from './client/index.ts';
import { requestClient } from './client-request.ts';
import { listMessage, type ListMessageKey } from './list-messages.ts';
import { lockListStyles } from './lock-list.styles.ts';
import { fillMessage, lockMessage } from './lock-messages.ts';
import { formatLockTime } from './lock-time.ts';
import { MyLocks } from './my-locks.ts';
import { nearestLanguage } from './nearest-language.ts';
import { RecordTitles, type DescribeRecord } from './record-titles.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * "My locks": every record that the user holds, of all types, in whatever window it was opened or forgotten. Says since
 * when and until when, and lets go of one or of all, after asking. Links inside it name the records of a type, and are not
 * shown themselves: `<a data-entity-type="Order" href="/orders/{uid}">Order {uid}</a>`.
 *
 * @tagname lock-list
 * @csspart list - The list.
 * @csspart item - One record.
 * @csspart title - What the record is called, a link where one is known.
 * @csspart detail - Since when and until when.
 * @csspart release - The button that lets go of one record.
 * @csspart release-all - The button that lets go of all.
 * @csspart status - What has just happened; a live region.
 * @csspart empty - Shown instead of the list where there is nothing.
 * @csspart error - Shown where the list cannot be had.
 * @csspart retry - The button beside it.
 * @csspart dialog - The question before letting go.
 * @cssprop --lock-list-border-color - The lines between the records.
 * @cssprop --lock-button-radius - Corner radius of the buttons.
 */
export class LockList extends LitElement {
  static override styles = lockListStyles;
  static override properties = {
    entityTypes: { attribute: 'entity-types' },
    describe: { attribute: false },
  };

  /**
   * Types, parted by spaces, whose new locks appear at once even while the user holds none of them. Others appear when the
   * page is shown again.
   */
  declare entityTypes: string;
  /** Names a record: title and address, or a promise of them. */
  declare describe: DescribeRecord | null;

  readonly #locks = new MyLocks(() => this.requestUpdate());
  readonly #titles = new RecordTitles(this, () => this.requestUpdate());
  #client: LockClient | null = null;
  #leaveClient = (): void => {};
  /** Whom the open question is about. */
  #asked: readonly LockView[] = [];
  #status: unknown = '';
  /** The place of the record that was let go, where the focus was on its button. */
  #refocus = -1;

  constructor() {
    super();
    this.entityTypes = '';
    this.describe = null;
  }

  /** Asks the server anew. */
  async refresh(): Promise<void> {
    await this.#locks.refresh();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leaveClient = requestClient(this, (client) => {
      this.#client = client;
      this.requestUpdate();
    });
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leaveClient();
    this.#client = null;
    this.#locks.use(null, []);
  }

  protected override willUpdate(): void {
    if (!this.isConnected) return;
    this.#locks.use(this.#client, this.entityTypes.match(/[^\s,]+/g) ?? []);
    this.#titles.describe = this.describe;
  }

  protected override render(): unknown {
    const { state, views } = this.#locks;
    const language = nearestLanguage(this);
    const say = (key: ListMessageKey, values?: Values): unknown => this.#say(language, key, values);
    const button = (part: string, text: unknown, act: () => void, label: unknown = nothing): TemplateResult =>
      html`<button part=${part} type="button" aria-label=${label} @click=${act}>${text}</button>`;
    const item = (view: LockView): TemplateResult => {
      const { title, href } = this.#titles.of(view.lock);
      const values = { title, since: Date.parse(view.lock.acquiredAtUtc), end: view.endsAtMs };
      const label = fillMessage(listMessage(language, 'releaseOne'), { title }).join('');
      return html`<li part="item">
        <div class="record">
          ${
            href === undefined
              ? html`<bdi part="title">${title}</bdi>`
              : html`<a part="title" href=${href}><bdi>${title}</bdi></a>`
          }
          <div part="detail">
            ${filled(lockMessage(language, 'since'), values, language)} ${say('ends', values)}
          </div>
        </div>
        ${button('release', say('release'), () => void this.#ask([view]), label)}
      </li>`;
    };
    return html`<div role="group" aria-label=${listMessage(language, 'myLocks')} dir="auto">
      <div part="status" role="status">${this.#status}</div>
      ${
        state === 'failed'
          ? html`<p part="error">
              ${say('noList')} ${button('retry', say('tryAgain'), () => void this.refresh())}
            </p>`
          : nothing
      }
      ${
        views.length > 0
          ? html`<ul part="list">
              ${repeat(views, ({ lock }) => refKey(lock), item)}
            </ul>`
          : state === 'ready'
            ? html`<p part="empty" tabindex="-1">${say('noLocks')}</p>`
            : nothing
      }
      ${views.length > 1 ? button('release-all', say('releaseAll'), () => void this.#ask(views)) : nothing}
      <dialog part="dialog" aria-labelledby="question">
        <form method="dialog">
          <p id="question">${this.#question(language)}</p>
          <button>${lockMessage(language, 'cancel')}</button>
          <button value="yes" @click=${this.#release}>
            ${say(this.#asked.length > 1 ? 'releaseAll' : 'release')}
          </button>
        </form>
      </dialog>
    </div>`;
  }

  protected override updated(): void {
    const dialog = this.#dialog;
    // Whoever was asked about is gone.
    const { views } = this.#locks;
    const isThere = ({ lock }: LockView): boolean =>
      views.some(
        (view) => refKey(view.lock) === refKey(lock) && view.lock.acquiredAtUtc === lock.acquiredAtUtc,
      );
    if (dialog?.open === true && !this.#asked.some(isThere)) dialog.close();
    if (this.#refocus < 0) return;
    const buttons = this.renderRoot.querySelectorAll<HTMLElement>('[part=release]');
    const next = buttons[Math.min(this.#refocus, buttons.length - 1)];
    (next ?? this.renderRoot.querySelector<HTMLElement>('[part=empty]'))?.focus();
    this.#refocus = -1;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #question(language: string): unknown {
    const [first, second] = this.#asked;
    if (first === undefined) return nothing;
    if (second !== undefined) return this.#say(language, 'askAll', { count: this.#asked.length });
    return this.#say(language, 'askOne', { title: this.#titles.of(first.lock).title });
  }

  /** A release reaches into other windows of the user: it is never one click away. */
  async #ask(views: readonly LockView[]): Promise<void> {
    this.#asked = views;
    this.#status = '';
    this.requestUpdate();
    await this.updateComplete;
    this.#dialog?.showModal();
  }

  async #release(): Promise<void> {
    const asked = this.#asked;
    const before = this.#locks.views;
    const outcomes = await Promise.all(
      asked.map(async (view) => [view, await this.#locks.release(view)] as const),
    );
    const failed = outcomes.filter(([, isGone]) => !isGone).map(([view]) => view);
    const language = nearestLanguage(this);
    const titleOf = ({ lock }: LockView): string => this.#titles.of(lock).title;
    const [first] = asked;
    const gone = asked.length - failed.length;
    if (failed.length > 0) {
      this.#status = failed.map(
        (view) =>
          html`<div>
            ${this.#say(language, 'notReleased', { title: titleOf(view), end: view.endsAtMs })}
          </div>`,
      );
    } else if (gone > 1) this.#status = this.#say(language, 'releasedAll', { count: gone });
    else if (first !== undefined) this.#status = this.#say(language, 'released', { title: titleOf(first) });
    // The button that had the focus went with its record.
    if (first !== undefined && gone > 0) {
      this.#refocus = before.findIndex(({ lock }) => refKey(lock) === refKey(first.lock));
    }
    this.requestUpdate();
  }

  #say(language: string, key: ListMessageKey, values: Values = {}): unknown {
    return filled(listMessage(language, key), values, language);
  }
}

/** A message with titles isolated from the direction around them, and times marked up. */
function filled(text: string, values: Values, language: string): unknown {
  const time = (ms: unknown): unknown =>
    typeof ms === 'number' && Number.isFinite(ms)
      ? html`<time datetime=${new Date(ms).toISOString()}>${formatLockTime(ms, language)}</time>`
      : undefined;
  const { title, since, end } = values;
  const shown = { ...values, title: html`<bdi>${title}</bdi>`, since: time(since), end: time(end) };
  const parts = fillMessage<unknown>(text, shown);
  // A text that speaks of something that is not known is not said.
  return parts.includes(undefined) ? nothing : parts;
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-list': LockList;
  }
}
