import { ContextProvider } from '@lit/context';
import { css, html, LitElement, type PropertyValues } from 'lit';
import { clientContext } from './client-context.ts';
import { createLockClient, type LockClient, type RowlockConfig } from './client/index.ts';

/**
 * Gives the elements inside it a client of their own: another backend, or another user. Where the whole page has one
 * backend and one user, `configure()` does the same without this element.
 *
 * @tagname lock-provider
 * @slot - The elements that use this client.
 */
export class LockProvider extends LitElement {
  static override styles = css`
    :host {
      display: contents;
    }
  `;
  static override properties = {
    api: {},
    hub: {},
    credentials: {},
    config: { attribute: false },
  };

  /** Base path or URL of the lock API; `config.api` by default. */
  declare api: string;
  /** Path or URL of the hub; `config.hub` by default. */
  declare hub: string;
  /** As of `fetch`; `config.credentials` by default. */
  declare credentials: RequestCredentials | '';
  /** Everything else, such as `getToken`. Replaced as a whole; what is open moves over. */
  declare config: RowlockConfig;

  readonly #provider = new ContextProvider(this, { context: clientContext });
  #client: LockClient | null = null;

  constructor() {
    super();
    this.api = this.hub = this.credentials = '';
    this.config = {};
  }

  /** The client that this element provides, the same one for good. It does nothing until something inside uses it. */
  get client(): LockClient {
    return (this.#client ??= createLockClient(this.#merged));
  }

  override connectedCallback(): void {
    // Before those inside are told: they may be there already.
    this.#provider.setValue(this.client);
    super.connectedCallback();
  }

  protected override willUpdate({ size }: PropertyValues): void {
    if (size > 0) this.#client?.configure(this.#merged);
  }

  protected override render(): unknown {
    return html`<slot></slot>`;
  }

  get #merged(): RowlockConfig {
    const { api, hub, credentials, config } = this;
    return { ...config, ...(api && { api }), ...(hub && { hub }), ...(credentials && { credentials }) };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'lock-provider': LockProvider;
  }
}
