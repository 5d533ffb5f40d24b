import { css } from 'lit';

/**
 * A quiet box in the page's own font. Colours follow the page's `color-scheme`; every one of them gives way to a
 * `--lock-*` property. While it says nothing it takes no room, but stays in the accessibility tree: a live region has
 * to be there before its text.
 */
export const lockBannerStyles = css`
  :host {
    --_accent: var(--lock-note-color, light-dark(#0b62c4, #8ab8ff));
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
  :host(:state(quiet)) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  [part='banner'] {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.75em;
    margin-block: var(--lock-banner-margin, 0 1em);
    padding: var(--lock-banner-padding, 0.7em 0.9em);
    border: 1px solid color-mix(in srgb, var(--_accent) 35%, transparent);
    border-inline-start: 4px solid var(--_accent);
    border-radius: var(--lock-banner-radius, 6px);
    background: var(
      --lock-banner-background,
      color-mix(in srgb, var(--_accent) 9%, light-dark(#fff, #1a1a1e))
    );
    color: var(--lock-banner-color, light-dark(#1f2328, #ececf1));
    line-height: 1.4;
  }
  [data-tone='held'] {
    --_accent: var(--lock-held-color, light-dark(#9a5b00, #f0b354));
  }
  [data-tone='alert'] {
    --_accent: var(--lock-alert-color, light-dark(#b3261e, #ff9a8f));
  }
  svg {
    flex: none;
    align-self: start;
    margin-block-start: 0.1em;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: var(--_accent);
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .said {
    flex: 1 1 14em;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  [part='text'] {
    font-weight: 600;
  }
  [part='detail'] {
    font-size: 0.93em;
  }
  button {
    min-block-size: 2.2em;
    padding: 0.3em 0.9em;
    border: 1px solid var(--_accent);
    border-radius: var(--lock-button-radius, 5px);
    background: transparent;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  button:hover {
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
  }
  button[value='yes'] {
    background: var(--_accent);
    color: light-dark(#fff, #1a1a1e);
  }
  button:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  dialog {
    max-inline-size: min(28em, calc(100vw - 4em));
    padding: 1.25em 1.4em;
    border: 1px solid color-mix(in srgb, currentcolor 25%, transparent);
    border-radius: var(--lock-banner-radius, 8px);
    background: light-dark(#fff, #232328);
    color: light-dark(#1f2328, #ececf1);
    box-shadow: 0 8px 30px rgb(0 0 0 / 0.3);
    overflow-wrap: anywhere;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.4);
  }
  h2 {
    margin: 0 0 0.5em;
    font-size: 1.15em;
  }
  p {
    margin: 0 0 1.25em;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 0.6em;
  }
  @media (forced-colors: active) {
    [part='banner'],
    dialog {
      border-color: CanvasText;
    }
    svg {
      stroke: CanvasText;
    }
  }
`;
