import { FocusKeeper } from './focus-keeper.ts';
import { InputBlocker } from './input-blocker.ts';

/** `inert` takes the form out of reach; `readonly` only stops edits, so that it can still be read and copied. */
export type Blocking = 'inert' | 'readonly';

/** Blocks and opens the body of a guard. The application's own elements are not touched, open modal dialogs excepted. */
export class BodyBlocker {
  readonly #guard: HTMLElement;
  readonly #input: InputBlocker;
  readonly #focus = new FocusKeeper();
  #dialogs: readonly HTMLElement[] = [];
  #isBlocked = false;

  constructor(guard: HTMLElement) {
    this.#guard = guard;
    this.#input = new InputBlocker(guard, () => this.#body);
  }

  /**
   * `blocking` null opens the body. `label` says why it is blocked, for assistive technology; `isLoading` lets the
   * application reset the form. Takes effect at once, before the next event.
   */
  set(
    blocking: Blocking | null,
    { label, isLoading }: { readonly label: string; readonly isLoading: boolean },
  ): void {
    this.#input.isLoading = isLoading;
    if (blocking === null) this.#input.stop();
    else this.#input.start();
    const body = this.#body;
    if (body === null) return;
    if (blocking === 'inert' && !body.inert) this.#makeInert(body);
    else if (blocking !== 'inert') this.#makeReachable(body);
    if (blocking === 'readonly') {
      body.role = 'group';
      body.ariaDisabled = 'true';
      body.ariaLabel = label;
    } else {
      body.role = body.ariaDisabled = body.ariaLabel = null;
    }
    if (blocking === null && this.#isBlocked) this.#focus.restore(body, this.#guard);
    this.#isBlocked = blocking !== null;
  }

  get #body(): HTMLElement | null {
    return this.#guard.shadowRoot?.querySelector<HTMLElement>('[part=body]') ?? null;
  }

  #makeInert(body: HTMLElement): void {
    this.#focus.save(body);
    // A modal dialog escapes the inertness of what contains it.
    this.#dialogs = [...this.#guard.querySelectorAll<HTMLElement>('dialog:modal:not([inert])')];
    for (const element of [body, ...this.#dialogs]) element.inert = true;
  }

  #makeReachable(body: HTMLElement): void {
    for (const element of [body, ...this.#dialogs]) element.inert = false;
    this.#dialogs = [];
  }
}
