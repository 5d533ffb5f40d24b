import { html, nothing, type TemplateResult } from 'lit';
import { currentColorScheme } from './color-scheme.ts';
import { icon } from './icon.ts';

export interface TopBarOptions {
  /** The name beside the mark. */
  readonly brand: TemplateResult;
  /** What comes before the mark, such as a menu's button. */
  readonly before?: TemplateResult;
  readonly backend: 'live' | 'mock';
  /** Whether there may be a server. Otherwise the bar says what answers, and leaves it there. */
  readonly canSwitch: boolean;
  readonly switchBackend: () => void;
  readonly toggleColorScheme: () => void;
}

const STATIC_HINT =
  'This copy is plain files without a server: locks, hub and data are in this page. The checkout’s npm start has both.';

/** The product's name, what answers, and the colours. */
export function topBar(options: TopBarOptions): TemplateResult {
  const { brand, before, backend, canSwitch, switchBackend, toggleColorScheme } = options;
  const dark = currentColorScheme() === 'dark';
  const isMock = backend === 'mock';
  return html`<header class="bar">
    <div class="brand">
      ${before ?? nothing}
      <span class="brand-mark">${icon('route')}</span>
      ${brand}
    </div>
    <div class="bar-actions">
      ${
        canSwitch
          ? html`<button
              type="button"
              class="switch"
              role="switch"
              data-testid="backend-switch"
              aria-checked=${isMock ? 'true' : 'false'}
              title=${isMock ? 'Now: everything runs in this page.' : 'Now: the live server.'}
              @click=${switchBackend}
            >
              <span class="switch-track" aria-hidden="true"></span>Mock backend
            </button>`
          : html`<span class="bar-note" data-testid="backend-note" title=${STATIC_HINT}>Mock backend</span>`
      }
      <button
        type="button"
        class="button button-icon"
        data-testid="color-scheme"
        aria-label=${dark ? 'Use light colours' : 'Use dark colours'}
        @click=${toggleColorScheme}
      >
        ${icon(dark ? 'sun' : 'moon')}
      </button>
    </div>
  </header>`;
}
