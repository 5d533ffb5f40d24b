import { html, render, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';

/** Style sheets of somebody's design system, and what is drawn in them. */
export interface ShadowBox {
  /** Anything that changes when the box shall be drawn anew. */
  readonly key: readonly unknown[];
  readonly styles: () => Promise<readonly string[]>;
  readonly content: () => TemplateResult;
}

/** A box with a shadow tree, so that what is styled in it stays in it. Its sheets come before its content. */
export function shadowBox({ key, styles, content }: ShadowBox): TemplateResult {
  const fill = (host: Element | undefined) => {
    if (host === undefined) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    void styles().then((texts) => {
      root.adoptedStyleSheets = texts.map((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        return sheet;
      });
      if (host.isConnected) render(content(), root);
    });
  };
  return html`${guard([...key], () => html`<div class="story-shadow" ${ref(fill)}></div>`)}`;
}
