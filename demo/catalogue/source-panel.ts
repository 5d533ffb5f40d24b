import { LitElement, html, type TemplateResult } from 'lit';
import { icon } from '../icon.ts';
import { highlightHtml } from './highlight-html.ts';

/** How long the button says what it did, in milliseconds. */
const SAID_MS = 2_500;

/** The HTML behind a story, and a button that copies it. */
export class SourcePanel extends LitElement {
  static override properties = { source: {}, said: { state: true } };

  declare source: string;
  declare protected said: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.source = this.said = '';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    return html`<section class="panel" data-testid="source" aria-labelledby="source-title">
      <header class="panel-head">
        <h2 id="source-title">HTML</h2>
        <span class="panel-said" role="status">${this.said}</span>
        <button
          type="button"
          class="button button-small"
          data-testid="copy"
          @click=${() => void this.#copy()}
        >
          ${icon('copy')}Copy
        </button>
      </header>
      <pre
        class="code"
        tabindex="0"
        aria-label="HTML of this story"
      ><code>${highlightHtml(this.source)}</code></pre>
    </section>`;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.source);
      this.said = 'Copied';
    } catch {
      // No permission, or no secure context: then the reader's own keys can do it.
      const code = this.querySelector('code');
      if (code !== null) getSelection()?.selectAllChildren(code);
      this.said = 'Selected: copy it with the keyboard';
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.said = ''), SAID_MS);
  }
}
