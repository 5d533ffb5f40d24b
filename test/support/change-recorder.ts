import { isLockChange, type ChangeFeed, type EntityChange, type LockChange } from '../../core/index.ts';
import { until } from './until.ts';

/** Marks the end of what a test did: published after it, so heard after it. */
const MARK = 'Mark';

/** Hears what a feed delivers of some tenants, and knows when everything that was published has arrived. */
export class ChangeRecorder {
  readonly #feed: ChangeFeed;
  readonly #heard: { readonly tenant: string; readonly change: EntityChange }[] = [];
  readonly #stop: () => void;
  #marks = 0;

  private constructor(feed: ChangeFeed) {
    this.#feed = feed;
    this.#stop = feed.onChange((tenant, change) => this.#heard.push({ tenant, change }));
  }

  static async start(feed: ChangeFeed, ...tenants: readonly string[]): Promise<ChangeRecorder> {
    const recorder = new ChangeRecorder(feed);
    await Promise.all(tenants.map((tenant) => feed.join(tenant)));
    return recorder;
  }

  /** Everything of a tenant so far, marks aside. */
  changes(tenant: string): readonly EntityChange[] {
    return this.#heard
      .filter((heard) => heard.tenant === tenant && heard.change.operation !== MARK)
      .map(({ change }) => change);
  }

  /** The lock changes of a tenant up to this call: none of them is still on its way. */
  async lockChanges(tenant: string): Promise<readonly LockChange[]> {
    this.#marks += 1;
    const entityUid = String(this.#marks);
    await this.#feed.publish(tenant, { entityType: MARK, entityUid, operation: MARK });
    await until(`mark ${entityUid} of ${tenant}`, () =>
      this.#heard.some(({ change }) => change.operation === MARK && change.entityUid === entityUid),
    );
    return this.changes(tenant).filter((change) => isLockChange(change));
  }

  stop(): void {
    this.#stop();
  }
}
