import { html, LitElement, nothing } from 'lit';
import { plainMessage, type BannerContent, type BannerValues } from './banner-content.ts';
import { BannerSource } from './banner-source.ts';
import { lockBannerStyles } from './lock-banner.styles.ts';
import { fillMessage, lockMessage, type LockMessageKey } from './lock-messages.ts';
import { formatLockTime } from './lock-time.ts';
import { nearestLanguage } from './nearest-language.ts';

/** Paths in a 20 × 20 box: a padlock, a warning triangle, an "i". */
const SIGNS = {
  held: 'M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11zM10 12v2',
  alert: 'M10 3 18 17H2zM10 8.5v3.5M10 14.4v.1',
  note: 'M10 2.5a7.5 7.5 0 1 0 .1 0zM10 9.5V14M10 6.4v.1',
};

/**
 * Says who is editing a record, since when and until when, and offers what can be done. Takes no room while there is
 * nothing to say. What it says is announced once; renewals are silent.
 *
 * @tagname lock-banner
 * @csspart banner - The box.
 * @csspart icon - The sign before the text.
 * @csspart text - What has happened.
 * @csspart detail - More about it, such as times.
 * @csspart action - The button to reload or to edit.
 * @csspart take-over - The button to take over.
 * @csspart dialog - The question before taking over.
 * @cssState quiet - There is nothing to say, and no room is taken.
 * @cssprop --lock-held-color - Accent while somebody else holds the lock.
 * @cssprop --lock-alert-color - Accent where something was lost, has changed or does not work.
 * @cssprop --lock-note-color - Accent of everything else.
 * @cssprop --lock-banner-background - Background of the box.
 * @cssprop --lock-banner-color - Text colour of the box.
 * @cssprop --lock-banner-margin - Block margins of the box.
 * @cssprop --lock-banner-padding - Padding of the box.
 * @cssprop --lock-banner-radius - Corner radius of the box and the dialog.
 * @cssprop --lock-button-radius - Corner radius of the buttons.
 */
export class LockBanner extends LitElement {
  static override styles = lockBannerStyles;
  static override properties = {
    for: {},
    entityType: { attribute: 'entity-type' },
    entityUid: { attribute: 'entity-uid' },
  };

  /** The id of a `lock-guard` in the same tree. Inside a guard it is not needed. */
  declare for: string;
  /** With `entity-uid`, the record to watch without a guard: then nothing can be taken over. */
  declare entityType: string;
  /** See `entity-type`. */
  declare entityUid: string;

  readonly #source = new BannerSource(this);
  readonly #internals = this.attachInternals();
  #content: BannerContent | null = null;
  /** What has to last before it is shown, and since it has. */
  #pending: { readonly text: LockMessageKey; readonly timer: number; isDue: boolean } | null = null;
  #wasShut = false;
  #hasOpened = false;
  #failure = '';

  constructor() {
    super();
    this.for = this.entityType = this.entityUid = '';
    this.#internals.states.add('quiet');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endPending();
  }

  protected override willUpdate(): void {
    this.#source.follow();
    const next = this.#source.content;
    if (next?.quietMs !== undefined && !this.#hasLasted(next.text, next.quietMs)) return;
    if (next?.quietMs === undefined) this.#endPending();
    if (next?.text !== this.#content?.text || next?.takeOverFrom !== this.#content?.takeOverFrom)
      this.#failure = '';
    this.#content = next;
    this.#noteOpening();
    if (next === null) this.#internals.states.add('quiet');
    else this.#internals.states.delete('quiet');
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    // Who was asked about is gone, or is somebody else now.
    if (dialog?.open === true && dialog.dataset['from'] !== this.#content?.takeOverFrom) dialog.close();
  }

  protected override render(): unknown {
    const language = nearestLanguage(this);
    const content = this.#content;
    const say = (key: LockMessageKey): unknown =>
      filled(lockMessage(language, key), content?.values ?? {}, language);
    const button = (name: string, key: LockMessageKey, act: () => void): unknown =>
      html`<button part=${name} type="button" @click=${act}>${say(key)}</button>`;
    const text = content?.text ?? (this.#hasOpened ? 'opened' : null);
    return html`<div
        part="banner"
        data-tone=${content?.tone ?? nothing}
        lang=${lockMessage(language, 'language')}
      >
        ${
          content &&
          html`<svg part="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d=${SIGNS[content.tone]} />
          </svg>`
        }
        <div class="said">
          <div part="text" role="status" dir="auto">
            ${text && say(text)} ${this.#failure && html`<div>${this.#failure}</div>`}
          </div>
          <div part="detail" dir="auto">${content?.details.map((key) => html`${say(key)} `)}</div>
        </div>
        ${content?.action && this.#source.guard ? button('action', content.action, this.#act) : nothing}
        ${content?.takeOverFrom === undefined ? nothing : button('take-over', 'takeOver', this.#ask)}
      </div>
      <dialog
        part="dialog"
        aria-labelledby="title"
        lang=${lockMessage(language, 'language')}
        @close=${this.#answered}
      >
        <h2 id="title" dir="auto">${say('takeOverTitle')}</h2>
        <p dir="auto">${say('takeOverText')}</p>
        <form method="dialog">
          <button value="">${say('cancel')}</button>
          <button value="yes">${say('takeOver')}</button>
        </form>
      </dialog>`;
  }

  /** Starts to wait for what passes by itself, usually; true when it has not. */
  #hasLasted(text: LockMessageKey, quietMs: number): boolean {
    let pending = this.#pending;
    if (pending?.text !== text) {
      this.#endPending();
      const timer = setTimeout(() => {
        started.isDue = true;
        this.requestUpdate();
      }, quietMs);
      const started = { text, timer, isDue: false };
      this.#pending = pending = started;
    }
    return pending.isDue;
  }

  #endPending(): void {
    clearTimeout(this.#pending?.timer);
    this.#pending = null;
  }

  /** Whoever waited by ear is told that the wait is over; to the eye, the banner's absence says it. */
  #noteOpening(): void {
    const guard = this.#source.guard;
    if (this.#content !== null) {
      this.#wasShut ||= /^(held|free|lost|lapsed|stale|loadFailed)$/.test(this.#content.text);
      this.#hasOpened = false;
    } else if (this.#wasShut && guard?.view?.state === 'mine') {
      this.#wasShut = false;
      this.#hasOpened = true;
    }
  }

  readonly #act = (): void => {
    const guard = this.#source.guard?.guard;
    if (this.#content?.action === 'edit') guard?.claimNow();
    else guard?.reload();
  };

  readonly #ask = (): void => {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog === null) return;
    dialog.returnValue = '';
    dialog.dataset['from'] = this.#content?.takeOverFrom ?? '';
    dialog.showModal();
  };

  readonly #answered = ({ target }: Event): void => {
    const isYes = target instanceof HTMLDialogElement && target.returnValue === 'yes';
    if (!isYes || target.dataset['from'] !== this.#content?.takeOverFrom) return;
    this.#source.guard?.guard.takeOver().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      this.#failure = plainMessage(nearestLanguage(this), 'takeOverFailed', { message });
      this.requestUpdate();
    });
  };
}

/** A message with names isolated and times marked up; nothing where it speaks of something that is not known. */
function filled(text: string, { name, since, end, message }: BannerValues, language: string): unknown {
  const time = (ms: number | undefined): unknown =>
    ms === undefined
      ? undefined
      : html`<time datetime=${new Date(ms).toISOString()}>${formatLockTime(ms, language)}</time>`;
  const values = { name: name && html`<bdi>${name}</bdi>`, since: time(since), end: time(end), message };
  const parts = fillMessage<unknown>(text, values);
  return parts.includes(undefined) ? nothing : parts;
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-banner': LockBanner;
  }
}
