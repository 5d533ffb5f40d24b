import { html, LitElement, nothing } from 'lit';
import { watchContent, type BannerContent } from './banner-content.ts';
import { composedParent } from './composed-parent.ts';
import { onLanguageChange } from './language-changes.ts';
import { lockBannerStyles } from './lock-banner.styles.ts';
import type { LockGuard } from './lock-guard.ts';
import { fillMessage, lockMessage, type LockMessageKey } from './lock-messages.ts';
import { formatLockTime } from './lock-time.ts';
import { LockWatch } from './lock-watch.ts';
import { namedEntity } from './named-entity.ts';
import { nearestLanguage } from './nearest-language.ts';

/** Paths in a 20 × 20 box. */
const PADLOCK = 'M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11zM10 12v2';
const EXCLAMATION = 'M10 2.5a7.5 7.5 0 1 0 .1 0zM10 6v5M10 14v.1';
/** What passes by itself, usually, is shown only when it has lasted so long. Until then what was shown stays. */
const DELAYS_MS: Readonly<Record<string, number>> = { wait: 300, free: 1_000 };
/** Screen readers announce only what comes into a live region that they know already, and need a moment to know it. */
const FIRST_DELAY_MS = 150;

const connected = new Set<LockBanner>();

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
 * @csspart cancel - Its button to leave everything as it is.
 * @csspart confirm - Its button to take over.
 * @cssState quiet - There is nothing to say, and no room is taken.
 * @cssprop --lock-held-color - Accent while somebody else holds the lock.
 * @cssprop --lock-alert-color - Accent where something was lost, has changed or does not work.
 * @cssprop --lock-note-color - Accent of everything else.
 * @cssprop --lock-surface - Background of the box, into which some of the accent is mixed, and of the dialog.
 * @cssprop --lock-text - Colour of the text.
 * @cssprop --lock-accent - To read in rules for parts: the accent of what is said now.
 * @cssprop --lock-banner-margin - Block margins of the box.
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

  readonly #states = this.attachInternals().states;
  readonly #watch = new LockWatch(this, (view) => {
    this.#watched = watchContent(view);
    this.requestUpdate();
  });
  #watched: BannerContent | null = null;
  #content: BannerContent | null = null;
  /** What there is to be said, and whether it has lasted long enough. */
  #news = '';
  #isDue = true;
  #timer = 0;
  #wasShut = false;
  #failure = '';
  #unhear = (): void => {};

  constructor() {
    super();
    this.for = this.entityType = this.entityUid = '';
    this.#states.add('quiet');
  }

  /** @internal Something has changed at a guard, for those that speak for it. */
  static tell(guard: LockGuard): void {
    for (const banner of connected) {
      if (!guard.isConnected || banner.#guard === guard) banner.requestUpdate();
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    connected.add(this);
    this.#watch.start();
    this.#unhear = onLanguageChange(() => {
      this.requestUpdate();
      this.#guard?.requestUpdate();
    });
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    connected.delete(this);
    this.#unhear();
    this.#watch.stop();
  }

  protected override willUpdate(): void {
    this.#watch.update();
    const guard = this.#guard;
    const next = guard ? guard.content : this.#watched;
    const news = `${next?.text} ${next?.takeOverFrom}`;
    if (news !== this.#news) {
      this.#news = news;
      this.#failure = '';
      // Who was asked about is gone, or is somebody else now.
      this.#dialog?.close();
      clearTimeout(this.#timer);
      const delayMs = DELAYS_MS[next?.text ?? ''] ?? (this.hasUpdated ? 0 : FIRST_DELAY_MS);
      this.#isDue = delayMs === 0;
      this.#timer = setTimeout(() => {
        this.#isDue = true;
        this.requestUpdate();
      }, delayMs);
    }
    if (!this.#isDue) return;
    // Whoever waited by ear is told that the wait is over; to the eye, the banner's absence says it.
    this.#wasShut = next ? guard?.blocked === true : this.#wasShut && guard?.state === 'mine';
    this.#content = next;
    this.#states[next ? 'delete' : 'add']('quiet');
  }

  protected override render(): unknown {
    const language = nearestLanguage(this);
    const guard = this.#guard;
    const { text = this.#wasShut ? 'mine' : '', row = [], values, takeOverFrom } = this.#content ?? {};
    const [tone, action, ...details] = row;
    const said = this.#failure ? { ...values, message: this.#failure } : values;
    const say = (key: LockMessageKey): unknown => filled(lockMessage(language, key), said, language);
    const button = (part: string, key: LockMessageKey, act: () => void): unknown =>
      html`<button part=${part} type="button" @click=${act}>${say(key)}</button>`;
    return html`<div part="banner" data-tone=${tone} lang=${lockMessage(language, 'language')}>
      <svg part="icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d=${tone === 'held' ? PADLOCK : EXCLAMATION} />
      </svg>
      <div class="said">
        <div part="text" role="status" dir="auto">
          ${text && say(text)} ${this.#failure && html`<div>${say('takeOverFailed')}</div>`}
        </div>
        <div part="detail" dir="auto">${details.map((key) => html`${say(key)} `)}</div>
      </div>
      ${action && guard && button('action', action, () => guard[action]())}
      ${
        takeOverFrom &&
        html`${button('take-over', 'takeOver', () => this.#dialog?.showModal())}
          <dialog part="dialog" aria-labelledby="question">
            <form method="dialog">
              <p id="question" dir="auto">${say('takeOverText')}</p>
              <button part="cancel">${say('cancel')}</button>
              <button part="confirm" value="yes" @click=${this.#takeOver}>${say('takeOver')}</button>
            </form>
          </dialog>`
      }
    </div>`;
  }

  /** The guard it speaks for: the one that is named, or the one around it; null for a record that is only watched. */
  get #guard(): LockGuard | null {
    if (namedEntity(this.entityType, this.entityUid) !== null) return null;
    const root = this.getRootNode() as Document | DocumentFragment | Element;
    let node: Node | null = this.for ? root.querySelector(`#${CSS.escape(this.for)}`) : this;
    // One that is not upgraded yet has nothing to tell.
    while (node !== null && !('claimNow' in node)) node = composedParent(node);
    return node as LockGuard | null;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #takeOver(): void {
    this.#guard?.takeOver().catch((error: unknown) => {
      this.#failure = error instanceof Error ? error.message : String(error);
      this.requestUpdate();
    });
  }
}

/** A message with names and the server's words isolated, and times marked up; nothing where it speaks of something that is not known. */
function filled(
  text: string,
  { name, since, end, message }: Partial<BannerContent['values']> = {},
  language: string,
): unknown {
  const time = (ms: number | undefined): unknown =>
    ms
      ? html`<time datetime=${new Date(ms).toISOString()}>${formatLockTime(ms, language)}</time>`
      : undefined;
  const parts = fillMessage<unknown>(text, {
    name: name && html`<bdi>${name}</bdi>`,
    since: time(since),
    end: time(end),
    message: message && html`<bdi>${message}</bdi>`,
  });
  return parts.includes(undefined) ? nothing : parts;
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-banner': LockBanner;
  }
}
