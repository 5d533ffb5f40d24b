import { html, nothing, type TemplateResult } from 'lit';
import { currentColorScheme } from './color-scheme.ts';
import { icon } from './icon.ts';

export interface TopBarOptions {
  /** The request that the driver app would write to. */
  readonly target: string | null;
  readonly driving: boolean;
  readonly mock: boolean;
  readonly drive: () => void;
  readonly switchBackend: () => void;
  readonly toggleColorScheme: () => void;
}

/** The product's name, and what one can try. */
export function topBar(options: TopBarOptions): TemplateResult {
  const { target, driving, mock, drive, switchBackend, toggleColorScheme } = options;
  const dark = currentColorScheme() === 'dark';
  return html`<header class="bar">
    <div class="brand">
      <span class="brand-mark">${icon('route')}</span>
      <h1><strong>Nordfracht</strong> <span class="brand-dot" aria-hidden="true">·</span> My approvals</h1>
    </div>
    <div class="bar-actions">
      <button
        type="button"
        class="button"
        data-testid="driver-app"
        aria-disabled=${driving ? 'true' : nothing}
        title="The drivers’ app changes the amount and the ETA of the open request, whoever edits it."
        @click=${drive}
      >
        ${icon('truck')}Driver app writes<span class="button-target">${target ?? nothing}</span>
      </button>
      <button
        type="button"
        class="switch"
        role="switch"
        data-testid="backend-switch"
        aria-checked=${mock ? 'true' : 'false'}
        title=${mock ? 'Now: everything runs in this page.' : 'Now: the live server.'}
        @click=${switchBackend}
      >
        <span class="switch-track" aria-hidden="true"></span>Mock backend
      </button>
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
