import { refKey, type EntityRef } from '../core/entity-ref.ts';

/** What a record is called, and where it is. */
export interface RecordTitle {
  /** What people call the record. */
  readonly title: string;
  /** Where it is; absent = the title is no link. */
  readonly href?: string;
}

/** Names a record; null, undefined or a failure = as the element itself would. */
export type DescribeRecord = (
  ref: EntityRef,
) => RecordTitle | null | undefined | PromiseLike<RecordTitle | null | undefined>;

/**
 * Names the records of a list: by a function of the application's, else by a link inside the list,
 * `<a data-entity-type="Order" href="/orders/{uid}">Order {uid}</a>`, else by type and uid. In an address the uid is
 * percent-encoded, so that no record's id becomes another address.
 */
export class RecordTitles {
  readonly #host: Element;
  readonly #changed: () => void;
  readonly #known = new Map<string, RecordTitle | null>();
  #describe: DescribeRecord | null = null;

  /** `changed` hears when a promise of a title was kept. */
  constructor(host: Element, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
  }

  set describe(describe: DescribeRecord | null) {
    if (describe === this.#describe) return;
    this.#describe = describe;
    this.#known.clear();
  }

  of(ref: EntityRef): RecordTitle {
    return this.#described(ref) ?? this.#linked(ref) ?? { title: `${ref.entityType} ${ref.entityUid}` };
  }

  #described(ref: EntityRef): RecordTitle | null {
    const describe = this.#describe;
    const key = refKey(ref);
    if (describe === null || this.#known.has(key)) return this.#known.get(key) ?? null;
    this.#known.set(key, null);
    const failed = (error: unknown): void => {
      // eslint-disable-next-line no-console -- the application's own failure, which would vanish here
      console.error('Rowlock: a record could not be named.', error);
    };
    try {
      const answer = describe(ref);
      if (!answer || !('then' in answer)) this.#known.set(key, answer ?? null);
      else {
        answer.then((title) => {
          if (this.#describe !== describe) return;
          this.#known.set(key, title ?? null);
          this.#changed();
        }, failed);
      }
    } catch (error) {
      failed(error);
    }
    return this.#known.get(key) ?? null;
  }

  #linked({ entityType, entityUid }: EntityRef): RecordTitle | null {
    const link = this.#host.querySelector(`[data-entity-type="${CSS.escape(entityType)}"]`);
    if (link === null) return null;
    const href = link.getAttribute('href')?.replaceAll('{uid}', encodeURIComponent(entityUid));
    const title = link.textContent.trim().replaceAll('{uid}', entityUid);
    return { title, ...(href !== undefined && { href }) };
  }
}
