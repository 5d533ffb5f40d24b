import { css } from 'lit';

/** A guard is a plain block: its banner above its body. */
export const lockGuardStyles = css`
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
`;
