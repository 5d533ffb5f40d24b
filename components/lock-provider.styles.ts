import { css } from 'lit';

/** A provider has no box of its own. */
export const lockProviderStyles = css`
  :host {
    display: contents;
  }
`;
