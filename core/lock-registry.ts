import type { LiveLock } from './entity-lock.ts';
import { entityRef, type EntityRef } from './entity-ref.ts';
import { LockError } from './lock-error.ts';
import { lockTiming, type LockTiming } from './lock-timing.ts';
import type { Principal } from './principal.ts';

/** Whether `taker` may take this lock over. Asked for every `held` answer (does the page show a button?) and again on the attempt. */
export type CanTakeOver = (taker: Principal, lock: LiveLock, ref: EntityRef) => boolean | Promise<boolean>;

export interface LockableOptions extends Partial<LockTiming> {
  /** Default: every user may, after the page has asked for confirmation. */
  readonly canTakeOver?: CanTakeOver;
}

/** A type that opted in. */
export interface LockableType {
  readonly entityType: string;
  readonly timing: LockTiming;
  readonly canTakeOver: CanTakeOver;
}

/** Marks an entity type as lockable. Throws where the name cannot be a key or the timing cannot keep a hidden tab's lock. */
export function lockable(entityType: string, options: LockableOptions = {}): LockableType {
  const { canTakeOver = () => true, ...timing } = options;
  return { entityType: entityRef(entityType, 'x').entityType, timing: lockTiming(timing), canTakeOver };
}

/** The types that opted in. Anything else is refused loudly: a claim that silently locks nothing helps nobody. */
export class LockRegistry {
  readonly #types: ReadonlyMap<string, LockableType>;

  constructor(types: readonly LockableType[]) {
    this.#types = new Map(types.map((type) => [type.entityType, type]));
    if (this.#types.size !== types.length) throw new Error('lockable(): a type is registered twice.');
  }

  get entityTypes(): readonly string[] {
    return [...this.#types.keys()];
  }

  /** Throws `LockError("type-not-lockable")`. */
  get(entityType: string): LockableType {
    const type = this.#types.get(entityType);
    if (type !== undefined) return type;
    throw new LockError(
      'type-not-lockable',
      `entityType: "${entityType}" is not lockable. Register it on the server with lockable("${entityType}").`,
      { field: 'entityType' },
    );
  }
}
