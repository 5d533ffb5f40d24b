import { ContextProvider } from '@lit/context';
import { html, LitElement } from 'lit';
import { createLockClient, type LockClient, type RowlockConfig } from './client/index.ts';
import { clientContext } from './lock-contexts.ts';
import { lockProviderStyles } from './lock-provider.styles.ts';

/**
 * Gives the elements inside it a client of their own: another backend, or another user. Where the whole page has one
 * backend and one user, `configure()` does the same without this element.
 *
 * @tagname lock-provider
 * @slot - The elements that use this client.
 */
export class LockProvider extends LitElement {
  static override styles = lockProviderStyles;
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
  /** What the client was configured with. */
  #used: readonly unknown[] = [];

  constructor() {
    super();
    this.api = this.hub = this.credentials = '';
    this.config = {};
  }

  /** The client that this element provides. It does nothing until something inside uses it. */
  get client(): LockClient {
    if (this.#client === null) {
      this.#used = this.#settings;
      this.#client = createLockClient(this.#merged);
    }
    return this.#client;
  }

  override connectedCallback(): void {
    // Before this element announces itself, and before those inside it ask.
    this.#provider.setValue(this.client);
    super.connectedCallback();
  }

  protected override willUpdate(): void {
    const settings = this.#settings;
    if (this.#client === null || settings.every((value, index) => value === this.#used[index])) return;
    this.#used = settings;
    this.#client.configure(this.#merged);
  }

  protected override render(): unknown {
    return html`<slot></slot>`;
  }

  get #settings(): readonly unknown[] {
    return [this.api, this.hub, this.credentials, this.config];
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
