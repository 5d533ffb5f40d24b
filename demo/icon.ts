import { html, svg, type TemplateResult } from 'lit';

const PATHS = {
  clock: svg`<circle cx="8" cy="8" r="6" /><path d="M8 4.75V8l2.25 1.5" />`,
  check: svg`<path d="m3.25 8.5 3.25 3.25 6.25-7" />`,
  cross: svg`<path d="m4 4 8 8M12 4l-8 8" />`,
  truck: svg`<path d="M1.5 4h8v7h-8zM9.5 6.5h2.75L14.5 9v2h-5z" /><circle cx="4.5" cy="12" r="1.25" /><circle cx="11.5" cy="12" r="1.25" />`,
  sun: svg`<circle cx="8" cy="8" r="2.75" /><path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />`,
  moon: svg`<path d="M13.25 9.75A5.75 5.75 0 0 1 6.25 2.75a5.75 5.75 0 1 0 7 7Z" />`,
  alert: svg`<path d="M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6v.1" />`,
  info: svg`<circle cx="8" cy="8" r="6" /><path d="M8 7.5v3.25M8 5.2v.1" />`,
  inbox: svg`<path d="M2 9.5 3.75 3h8.5L14 9.5V13H2zM2 9.5h3.25a2.75 2.75 0 0 0 5.5 0H14" />`,
  copy: svg`<path d="M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1" />`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12" />`,
  again: svg`<path d="M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5" />`,
  route: svg`<circle cx="3.5" cy="12.5" r="1.5" /><circle cx="12.5" cy="3.5" r="1.5" /><path d="M5 12.5h4.5a2.25 2.25 0 0 0 0-4.5h-3a2.25 2.25 0 0 1 0-4.5H11" />`,
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing of 16 × 16, in the colour of its text. Decoration: the words beside it say it all. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
}
