import { css, html, type PropertyDeclarations } from 'lit';
import type { EntityRef, LiveLock } from '../core/index.ts';
import { formContent, type BannerContent } from './banner-content.ts';
import { editingPath, isControl } from './edit-rules.ts';
import { keepFocus } from './focus-keeper.ts';
import { blockInput, INPUT_EVENTS, SCROLL_EVENTS } from './input-blocker.ts';
import { LeaseElement } from './lease-element.ts';
import { LockBanner } from './lock-banner.ts';
import { ExtendableLockEvent, LockEvent } from './lock-events.ts';
import { fillMessage, lockMessage } from './lock-messages.ts';
import { nearestLanguage } from './nearest-language.ts';

/** `inert` takes the form out of reach; `readonly` only stops edits, so that it can still be read and copied. */
export type Blocking = 'inert' | 'readonly';

/**
 * Claims the lock of one record, and blocks what it contains while somebody else edits that record. Once the form was
 * open, its text stays readable and can be copied whatever happens: from then on it is only blocked as `readonly`.
 *
 * @tagname lock-guard
 * @slot - The whole form, its buttons included. Blocked while claiming, while somebody else holds the lock, and after losing it.
 * @slot banner - Replaces the built-in `<lock-banner>`. Never blocked.
 * @csspart body - What is blocked, round the default slot.
 * @csspart banner - The built-in banner's box. Its `icon`, `text`, `detail`, `action`, `take-over`, `dialog`,
 *   `cancel` and `confirm` are exported as well.
 * @cssState idle - Nothing was claimed yet.
 * @cssState claiming - An answer is awaited.
 * @cssState mine - The lock is this page's.
 * @cssState held - Somebody else holds it.
 * @cssState lost - It was this page's, and is no longer.
 * @cssState unknown - Nobody can say.
 * @cssState error - The server refused.
 * @cssState released - This page let go.
 * @cssState blocked - Nothing can be edited now.
 * @fires {LockAcquiredEvent} lock-acquired - The lock is this page's; `waitUntil()` keeps the form blocked.
 * @fires {LockHeldEvent} lock-held - Somebody else holds the lock.
 * @fires {LockLostEvent} lock-lost - The lock is no longer this page's; `getValues()` has what was typed.
 * @fires {LockEvent} lock-released - This page let go.
 * @fires {LockEvent} lock-unknown - Nobody can say who holds the lock; the form is editable.
 * @fires {LockErrorEvent} lock-error - The server refused for good; the form is editable.
 * @fires {LockStateChangeEvent} lock-statechange - After every change of `state`.
 * @fires {LockBlockingEvent} lock-blocking - What is blocked has changed, for what the guard does not reach.
 * @fires {LockBeforeReleaseEvent} lock-before-release - Cancelable: `release()` was called, or nobody is there (`isIdle`); `waitUntil()` saves first.
 * @fires {ExtendableLockEvent} lock-reload - Cancelable: fresh data is asked for; otherwise the page is reloaded.
 */
export class LockGuard extends LeaseElement {
  static override styles = css`
    :host {
      display: block;
    }
    :host([hidden]) {
      display: none;
    }
  `;
  static override properties: PropertyDeclarations = { blocking: {} };

  /** How to block a form that was not open yet. */
  declare blocking: Blocking;

  readonly #states = this.attachInternals().states;
  #content: BannerContent | null = null;
  /** What was made inert: the body, and modal dialogs, which escape the inertness of what contains them. */
  #inert: readonly HTMLElement[] = [];
  #restoreFocus: (() => void) | null = null;
  /** The form is shut, and what was told of that, by which record. */
  #isShut = false;
  #told = '[null,null]';
  #toldRef: EntityRef | null = null;

  constructor() {
    super();
    this.blocking = 'inert';
    // From the first moment on, so that they come before any of the application's.
    this.#listen(this);
  }

  /** The lock as last heard: one's own, or the other's. */
  get lock(): LiveLock | null {
    return this.view.lock;
  }

  /** Another holder had the record since this page's last fence; null = cannot say. */
  get changed(): boolean | null {
    return this.view.changed;
  }

  /** @internal What its banners have to say. */
  get content(): BannerContent | null {
    return this.#content;
  }

  /** Asks for fresh data by `lock-reload`; where nobody answers that, the page is loaded again. */
  reload(): void {
    const { ref } = this;
    if (ref === null) return;
    const event = new ExtendableLockEvent('lock-reload', { ref }, true);
    const isUnanswered = this.dispatchEvent(event);
    if (event.settled !== null) this.waitFor(event.settled);
    else if (isUnanswered) this.reloadPage();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    LockBanner.tell(this);
  }

  protected override updated(): void {
    if (this.isConnected) this.apply();
  }

  protected override render(): unknown {
    return html`<slot name="banner"
        ><lock-banner
          exportparts="banner, icon, text, detail, action, take-over, dialog, cancel, confirm"
        ></lock-banner
      ></slot>
      <div part="body"><slot></slot></div>`;
  }

  /** What reloading means where the application does not say. */
  protected reloadPage(): void {
    location.reload();
  }

  /** @internal Makes state, banner and blocking follow what is known. */
  override apply(): void {
    const { state, blocked, body, view, isLoading, idle } = this;
    if (!blocked) this.wasOpen = true;
    this.#content = formContent(view, {
      isLoading,
      offersEdit: this.claimsAtOnce || idle.isAway,
      notice: idle.notice,
    });
    this.#states.clear();
    for (const name of blocked ? [state, 'blocked'] : [state]) this.#states.add(name);
    // Takes effect at once, before the next event.
    this.#isShut = blocked;
    const listen = blocked ? 'addEventListener' : 'removeEventListener';
    for (const type of SCROLL_EVENTS) this[listen](type, this.#onInput, { capture: true, passive: false });
    const isReadable = this.wasOpen || this.blocking === 'readonly';
    const blocking = blocked ? (isReadable ? 'readonly' : 'inert') : null;
    if (body !== null) this.#block(body, blocking);
    LockBanner.tell(this);
    if (body !== null) this.#tell(blocking);
  }

  /** The application's own elements are not touched, open modal dialogs excepted. */
  #block(body: HTMLElement, blocking: Blocking | null): void {
    if (blocking) this.#restoreFocus ??= keepFocus(this, body, !this.wasOpen);
    if (blocking === 'inert' && !body.inert) {
      this.#inert = [body, ...this.querySelectorAll<HTMLElement>('dialog:modal:not([inert])')];
    }
    for (const element of this.#inert) element.inert = blocking === 'inert';
    const isReadonly = blocking === 'readonly';
    // A name is isolated from the direction of what is around it, as in the banner.
    const name = `\u2068${this.#content?.values.name}\u2069`;
    const text = this.#content && lockMessage(nearestLanguage(this), this.#content.text);
    body.role = isReadonly ? 'group' : null;
    body.ariaDisabled = isReadonly ? 'true' : null;
    body.ariaLabel = isReadonly ? fillMessage(text ?? '', { name }).join('') : null;
    if (blocking) return;
    this.#restoreFocus?.();
    this.#restoreFocus = null;
  }

  #tell(blocking: Blocking | null): void {
    const { ref } = this;
    const told = JSON.stringify([ref, blocking]);
    if (told === this.#told) return;
    this.#told = told;
    // A record that is no longer named is the one that is free now; before the first one, nothing is blocked.
    this.#toldRef = ref ?? this.#toldRef;
    const detail = { ref: this.#toldRef as EntityRef, blocked: blocking !== null, blocking };
    this.dispatchEvent(new LockEvent('lock-blocking', detail));
  }

  #listen(target: EventTarget): void {
    for (const type of INPUT_EVENTS) target.addEventListener(type, this.#onInput, true);
  }

  readonly #onInput = (event: Event): void => {
    const { body } = this;
    // Some events, `change` among them, end in the shadow tree they come from. Whoever causes one was there before.
    for (const target of event.composedPath()) {
      if (target === this) break;
      if (target instanceof ShadowRoot) this.#listen(target);
    }
    if (this.#isShut) blockInput(event, body, this.isLoading === true);
    else if (/input|change|submit|pointerdown/.test(event.type)) this.#claimForEdit(event, body);
  };

  /** A person begins to edit, and the form itself has not heard of it yet. */
  #claimForEdit(event: Event, body: HTMLElement | null): void {
    if (!event.isTrusted || this.claim === 'manual' || !/idle|released/.test(this.state)) return;
    const path = editingPath(event, body);
    if (path !== null && (event.type !== 'pointerdown' || isControl(path))) this.claimUnobtrusively();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-guard': LockGuard;
  }
}
