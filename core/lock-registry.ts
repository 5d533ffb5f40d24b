import type { LiveLock, LockHolder } from './entity-lock.ts';
import { entityRef, type EntityRef } from './entity-ref.ts';
import { LockError } from './lock-error.ts';
import { lockTiming, type LockTiming } from './lock-timing.ts';
import type { Principal } from './principal.ts';

/** Whether `taker` may take this lock over. Asked for every `held` answer (does the page show a button?) and again on the attempt. */
export type CanTakeOver = (taker: Principal, lock: LiveLock, ref: EntityRef) => boolean | Promise<boolean>;

/** Whether `viewer` may know of locks on this entity. Asked for every answer and, per viewer, for every push. */
export type CanSee = (viewer: Principal, ref: EntityRef) => boolean | Promise<boolean>;

/** The name that `viewer` reads in the place of the holder's; `""` = somebody. Asked for each lock and push: keep it fast. */
export type HolderName = (holder: LockHolder, viewer: Principal, ref: EntityRef) => string;

/** How records of one type are locked. */
export interface LockableOptions extends Partial<LockTiming> {
  /** Default: every user may, after the page has asked for confirmation. */
  readonly canTakeOver?: CanTakeOver;
  /**
   * Default: everybody in the tenant. Where it says no, lists, reads and pushes leave the entity out, claims are answered
   * `not-found`, and a refused write does not say whose lock it met.
   */
  readonly canSee?: CanSee;
  /**
   * What others read in the place of the holder's name, in answers, pushes and refusals; also for the author of a change.
   * The stored record keeps the real name, and `holderOid` stays: pages know their own locks by it. Default: the name.
   */
  readonly holderName?: 'hidden' | HolderName;
}

/** A type that opted in. */
export interface LockableType {
  /** Its name. */
  readonly entityType: string;
  /** How long its locks live. */
  readonly timing: LockTiming;
  /** Who may take its locks over. */
  readonly canTakeOver: CanTakeOver;
  /** null = everybody. */
  readonly canSee: CanSee | null;
  /** null = the name itself. */
  readonly holderName: HolderName | null;
}

/** Marks an entity type as lockable. Throws where the name cannot be a key or the timing cannot keep a hidden tab's lock. */
export function lockable(entityType: string, options: LockableOptions = {}): LockableType {
  const { canTakeOver = () => true, canSee = null, holderName = null, ...timing } = options;
  return {
    entityType: entityRef(entityType, 'x').entityType,
    timing: lockTiming(timing),
    canTakeOver,
    canSee,
    holderName: holderName === 'hidden' ? () => '' : holderName,
  };
}

/** The types that opted in. Anything else is refused loudly: a claim that silently locks nothing helps nobody. */
export class LockRegistry {
  readonly #types: ReadonlyMap<string, LockableType>;

  constructor(types: readonly LockableType[]) {
    this.#types = new Map(types.map((type) => [type.entityType, type]));
    if (this.#types.size !== types.length) throw new Error('lockable(): a type is registered twice.');
  }

  /** The names of all registered types. */
  get entityTypes(): readonly string[] {
    return [...this.#types.keys()];
  }

  /** The type of that name, if it is registered. */
  find(entityType: string): LockableType | undefined {
    return this.#types.get(entityType);
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
