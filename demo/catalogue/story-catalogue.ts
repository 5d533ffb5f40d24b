import { LitElement, html, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { onSystemColorScheme, toggleColorScheme } from '../color-scheme.ts';
import { isStaticSite, type DemoBackend } from '../demo-backend.ts';
import { icon } from '../icon.ts';
import { backendHref } from '../page-settings.ts';
import { topBar } from '../top-bar.ts';
import { initialValues, placeHref, readPlace, type CataloguePlace } from './catalogue-address.ts';
import { storyNav } from './story-nav.ts';
import type { VisitSetting } from './story-visit.ts';
import type { Story } from './story.ts';

/** What the catalogue shows, and who answers it. */
export interface CatalogueSetting {
  readonly stories: readonly Story[];
  readonly backend: DemoBackend;
}

/** The catalogue: bar, navigation and one story at a time. Its address is always the deep link of what it shows. */
export class StoryCatalogue extends LitElement {
  static override properties = {
    setting: { attribute: false },
    place: { state: true },
    visit: { state: true },
  };

  declare setting: CatalogueSetting | null;
  declare protected place: CataloguePlace | null;
  /** Counts up whenever a story starts, so that each visit has elements of its own. */
  declare protected visit: number;
  #shown: VisitSetting | null = null;
  #stop = () => {};

  constructor() {
    super();
    this.setting = this.place = null;
    this.visit = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const wentBack = () => this.#read();
    addEventListener('popstate', wentBack);
    const unsubscribe = onSystemColorScheme(() => this.requestUpdate());
    this.#stop = () => {
      removeEventListener('popstate', wentBack);
      unsubscribe();
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('setting') && this.setting !== null) {
      this.place = readPlace(location.search, this.setting.stories);
    }
    const { setting, place } = this;
    if (setting === null || place === null) return;
    document.title = `${place.story.title} · Rowlock`;
    if (this.#shown?.story !== place.story) {
      const useMock = () => this.#useBackend('mock');
      this.#shown = { story: place.story, backend: setting.backend, useMock };
    }
  }

  protected override updated(): void {
    const side = this.querySelector('.nav-side');
    const current = side?.querySelector<HTMLElement>('[aria-current]');
    if (side === null || current === null || current === undefined) return;
    // Not scrollIntoView(), which moves the page as well.
    const { top, bottom } = current.getBoundingClientRect();
    const frame = side.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) side.scrollTop += top - frame.top - frame.height / 3;
  }

  protected override render(): TemplateResult {
    const { setting, place } = this;
    if (setting === null || place === null) return html`<p class="starting">One moment…</p>`;
    const { kind } = setting.backend;
    const { story, values } = place;
    const nav = storyNav({
      stories: setting.stories,
      current: story,
      hrefOf: (other) => this.#href({ story: other, values: {} }),
      go: (other) => this.#go(other),
    });
    const bar = topBar({
      brand: html`<p class="brand-name">
        <strong>Rowlock</strong> <span class="brand-dot">Record locks, live</span>
      </p>`,
      before: html`<button
        type="button"
        class="button button-icon nav-button"
        data-testid="menu"
        aria-label="Stories"
        aria-haspopup="dialog"
        @click=${() => this.querySelector('dialog')?.showModal()}
      >
        ${icon('menu')}
      </button>`,
      backend: kind,
      canSwitch: !isStaticSite(),
      switchBackend: () => this.#useBackend(kind === 'mock' ? 'live' : 'mock'),
      toggleColorScheme: () => this.#toggleScheme(),
    });
    return html`<a class="skip" href="#story" @click=${this.#skip}>Skip to the story</a>
      ${bar}
      <dialog class="nav-dialog" aria-label="Stories" closedby="any">
        <form method="dialog">
          <strong>Stories</strong>
          <button class="button button-small" data-testid="close-menu">Close</button>
        </form>
        ${nav}
      </dialog>
      <div class="catalogue">
        <div class="nav-side">${nav}</div>
        <main class="story" id="story">
          <header class="story-head">
            <p class="story-group">${story.group}</p>
            <h1 tabindex="-1" data-testid="story-title">${story.title}</h1>
            <p class="story-about">${story.about}</p>
            <button
              type="button"
              class="button button-small"
              data-testid="again"
              @click=${() => this.#again()}
            >
              ${icon('again')}Start again
            </button>
          </header>
          ${keyed(
            this.visit,
            html`<story-visit
              .setting=${this.#shown}
              .values=${values}
              @story-values-change=${(event: HTMLElementEventMap['story-values-change']) =>
                this.#set({ story, values: event.values })}
            ></story-visit>`,
          )}
        </main>
      </div>`;
  }

  #href(place: CataloguePlace): string {
    return placeHref(place, new URLSearchParams(location.search).get('backend'));
  }

  #go(story: Story): void {
    const place = { story, values: initialValues(story) };
    history.pushState(null, '', this.#href(place));
    this.querySelector('dialog')?.close();
    this.#show(place);
  }

  /** Back or Forward: another story starts anew, and another look of the same story does not. */
  #read(): void {
    if (this.setting === null) return;
    const place = readPlace(location.search, this.setting.stories);
    if (place.story === this.place?.story) this.place = place;
    else this.#show(place);
  }

  #show(place: CataloguePlace): void {
    this.place = place;
    this.visit += 1;
    void this.updateComplete.then(() => {
      scrollTo(0, 0);
      this.querySelector('h1')?.focus({ preventScroll: true });
    });
  }

  #set(place: CataloguePlace): void {
    history.replaceState(null, '', this.#href(place));
    this.place = place;
  }

  #again(): void {
    this.visit += 1;
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.querySelector('h1')?.focus();
  }

  #useBackend(backend: DemoBackend['kind']): void {
    location.assign(backendHref(location.search, backend));
  }

  #toggleScheme(): void {
    toggleColorScheme();
    this.requestUpdate();
  }
}
