import { css } from 'lit';

/**
 * A quiet box in the page's own font. Colours follow the page's `color-scheme`; every one of them gives way to a
 * `--lock-*` property. While it says nothing it takes no room, but stays in the accessibility tree: a live region has
 * to be there before its text. A text that runs in the other direction than the page stays on the page's side
 * (`match-parent`, which Chromium knows by its old name alone).
 */
export const lockBannerStyles = css`
  :host {
    --lock-accent: var(--lock-note-color, #1a73e8);
    display: block;
    overflow-wrap: anywhere;
  }
  :host([hidden]) {
    display: none;
  }
  :host(:state(quiet)) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  [part='banner'],
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: 0.5em 0.75em;
  }
  [part='banner'],
  dialog {
    border: 1px solid var(--lock-accent);
    border-radius: var(--lock-banner-radius, 6px);
    background: var(--lock-surface, Canvas);
    color: var(--lock-text, CanvasText);
  }
  [part='banner'] {
    margin-block: var(--lock-banner-margin, 0 1em);
    padding: 0.7em 0.9em;
    border-inline-start-width: 4px;
    background: color-mix(in srgb, var(--lock-accent) 9%, var(--lock-surface, Canvas));
  }
  [data-tone='held'] {
    --lock-accent: var(--lock-held-color, #c77700);
  }
  [data-tone='alert'] {
    --lock-accent: var(--lock-alert-color, #d93025);
  }
  svg {
    inline-size: 1.4em;
    fill: none;
    stroke: var(--lock-accent);
    forced-color-adjust: auto;
    stroke-width: 1.6;
    stroke-linecap: round;
  }
  .said {
    flex: 1 1 14em;
  }
  [dir] {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  [part='text'] {
    font-weight: 600;
  }
  button {
    padding: 0.4em 0.9em;
    border: 1px solid var(--lock-accent);
    border-radius: var(--lock-button-radius, 5px);
    background: transparent;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  @media (forced-colors: none) {
    button:hover,
    [value='yes'] {
      background: var(--lock-text, CanvasText);
      color: var(--lock-surface, Canvas);
    }
  }
  dialog {
    max-inline-size: min(28em, 100% - 4em);
  }
  dialog::backdrop {
    background: #0006;
  }
  p {
    inline-size: 100%;
  }
`;
