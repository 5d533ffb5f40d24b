import { css } from 'lit';

/** A plain list in the page's own font; colours follow the page's `color-scheme`. */
export const lockListStyles = css`
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 0.75em;
    padding-block: 0.6em;
    border-block-end: 1px solid var(--lock-list-border-color, color-mix(in srgb, CanvasText 18%, transparent));
  }
  .record {
    flex: 1 1 14em;
    overflow-wrap: anywhere;
  }
  [part~='title'] {
    font-weight: 600;
  }
  [part='release-all'] {
    margin-block-start: 0.75em;
  }
  [part='status']:empty {
    position: absolute;
  }
  button {
    padding: 0.4em 0.9em;
    border: 1px solid;
    border-radius: var(--lock-button-radius, 5px);
    background: transparent;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  button:hover,
  [value='yes'] {
    background: CanvasText;
    color: Canvas;
    forced-color-adjust: none;
  }
  dialog {
    max-inline-size: 28em;
    border: 1px solid;
    border-radius: var(--lock-banner-radius, 6px);
  }
  dialog::backdrop {
    background: #0006;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 0.5em 0.75em;
  }
  form p {
    inline-size: 100%;
    margin-block-start: 0;
    overflow-wrap: anywhere;
  }
`;
