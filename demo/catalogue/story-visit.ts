import { LitElement, html, nothing, type TemplateResult } from 'lit';
import type { LockProvider } from '../../components/index.ts';
import type { DemoBackend } from '../demo-backend.ts';
import { DEMO_USERS, isDemoUserKey, type DemoUserKey } from '../demo-users.ts';
import type { EventLog } from '../event-log.ts';
import { LOCK_EVENTS, lockEventText } from '../lock-event-text.ts';
import { WireLog } from '../wire-log.ts';
import { storyControls } from './story-controls.ts';
import type { Story, StoryAction, StoryValues } from './story.ts';
import { VisitStage } from './visit-stage.ts';

/** What a visit shows. */
export interface VisitSetting {
  readonly story: Story;
  readonly backend: DemoBackend;
  /** The reader wants the mock instead of the live server. */
  readonly useMock: () => void;
}

/**
 * One visit to a story: its stage, the buttons of its actions, and what happens on the wire and in the page. Begins when
 * it is connected, and ends for good when it is removed. `values` may change while it lasts.
 */
export class StoryVisit extends LitElement {
  static override properties = {
    setting: { attribute: false },
    values: { attribute: false },
    begun: { state: true },
    running: { state: true },
  };

  declare setting: VisitSetting | null;
  declare values: StoryValues;
  /** Absent = under way. */
  declare protected begun: { readonly problem: string } | undefined;
  /** The action that is under way. */
  declare protected running: StoryAction | null;
  readonly #wire = new WireLog();
  #stage: VisitStage | null = null;

  constructor() {
    super();
    this.setting = null;
    this.values = {};
    this.begun = undefined;
    this.running = null;
    for (const type of LOCK_EVENTS) {
      this.addEventListener(type, (event) =>
        this.#log(this.#userOf(event), lockEventText(event), event.type),
      );
    }
    this.addEventListener('desk-activity', ({ user, text, call }) => this.#log(user, text, call));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stage?.leave();
    this.#stage = null;
  }

  protected override firstUpdated(): void {
    const { setting } = this;
    if (setting === null || needsOther(setting.story, setting.backend)) return;
    const stage = new VisitStage({
      backend: setting.backend,
      wire: this.#wire,
      say: (text) => this.#log(null, text),
    });
    this.#stage = stage;
    if (setting.backend.serverMissing) {
      this.#log(null, 'No server answered, so everything runs on the mock backend.');
    }
    void this.#begin(setting.story, stage);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.setting === null) return nothing;
    const { story } = this.setting;
    const { controls = [] } = story;
    return html`<section
        class="stage"
        aria-label=${story.title}
        data-testid="stage"
        data-state=${this.#state(story, this.setting)}
      >
        ${this.#actions(story)}
        <div class="stage-body">${this.#body(story, this.setting)}</div>
      </section>
      <div class="panels">
        <div>
          ${
            controls.length === 0
              ? nothing
              : html`<section class="panel" aria-labelledby="controls-title">
                  <header class="panel-head"><h2 id="controls-title">Controls</h2></header>
                  ${storyControls(controls, this.values, (name, value) => this.#change(name, value))}
                </section>`
          }
          <source-panel .source=${story.source(this.values)}></source-panel>
        </div>
        <div>
          <wire-panel .log=${this.#wire}></wire-panel>
          <event-log></event-log>
        </div>
      </div>`;
  }

  #actions({ actions = [] }: Story): TemplateResult | typeof nothing {
    if (actions.length === 0) return nothing;
    const isReady = this.begun?.problem === '' && this.running === null;
    return html`<div class="stage-actions" data-testid="actions">
      ${actions.map(
        (action) =>
          html`<button
            type="button"
            class="button"
            aria-disabled=${isReady ? nothing : 'true'}
            @click=${() => void this.#run(action)}
          >
            ${action.label}
          </button>`,
      )}
    </div>`;
  }

  #body(story: Story, { backend, useMock }: VisitSetting): TemplateResult {
    if (needsOther(story, backend)) {
      return html`<div class="stage-note">
        <p>This story breaks its backend on purpose, which a page cannot do to the live server.</p>
        <button type="button" class="button" data-testid="use-mock" @click=${useMock}>
          Show it on the mock backend
        </button>
      </div>`;
    }
    const stage = this.#stage;
    if (this.begun === undefined || stage === null) return html`<p class="stage-note">One moment…</p>`;
    if (this.begun.problem !== '') {
      return html`<p class="stage-note" role="alert">This story could not begin: ${this.begun.problem}</p>`;
    }
    return story.render(stage, this.values);
  }

  /** For tests and pictures: `starting`, `ready`, or `other` where there is no story to see. */
  #state(story: Story, { backend }: VisitSetting): string {
    if (needsOther(story, backend)) return 'other';
    if (this.begun === undefined) return 'starting';
    return this.begun.problem === '' ? 'ready' : 'other';
  }

  async #begin(story: Story, stage: VisitStage): Promise<void> {
    try {
      await story.begin?.(stage);
      this.begun = { problem: '' };
    } catch (error) {
      this.begun = { problem: messageOf(error) };
    }
  }

  async #run(action: StoryAction): Promise<void> {
    const stage = this.#stage;
    if (stage === null || this.begun?.problem !== '' || this.running !== null) return;
    this.running = action;
    try {
      await action.run(stage);
    } catch (error) {
      if (this.isConnected) this.#log(null, `“${action.label}” failed: ${messageOf(error)}`);
    } finally {
      this.running = null;
    }
  }

  #change(name: string, value: string | number | boolean): void {
    this.dispatchEvent(new StoryValuesChange({ ...this.values, [name]: value }));
  }

  /** Who an event of a lock happens to: the user of the provider around it. */
  #userOf(event: Event): DemoUserKey | null {
    for (const node of event.composedPath()) {
      if (!(node instanceof HTMLElement)) continue;
      const user =
        node.localName === 'lock-provider'
          ? this.#stage?.userOf((node as Partial<Pick<LockProvider, 'config'>>).config)
          : null;
      if (user !== null && user !== undefined) return user;
      if (isDemoUserKey(node.dataset['user'])) return node.dataset['user'];
    }
    return null;
  }

  #log(user: DemoUserKey | null, text: string, event?: string): void {
    const who = user === null ? 'This page' : DEMO_USERS[user].principal.name;
    const entry = { whoKey: user ?? 'page', who, text, ...(event === undefined ? {} : { event }) };
    this.querySelector<EventLog>('event-log')?.add(entry);
  }
}

/** The reader has set a control. Bubbles. */
export class StoryValuesChange extends Event {
  readonly values: StoryValues;

  constructor(values: StoryValues) {
    super('story-values-change', { bubbles: true });
    this.values = values;
  }
}

declare global {
  interface HTMLElementEventMap {
    'story-values-change': StoryValuesChange;
  }
}

function needsOther({ needsMock = false }: Story, { kind }: DemoBackend): boolean {
  return needsMock && kind === 'live';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
