import type { EntityRef } from '../core/index.ts';
import type { ApiUser } from './api-user.ts';
import type { CheckNeed, ConformanceOptions, GuardedWrite } from './conformance-options.ts';
import type { HubEar } from './hub-ear.ts';

/** What a check works with. */
export interface CheckKit {
  readonly options: ConformanceOptions;
  /** Two people of one tenant. */
  readonly anna: ApiUser;
  readonly ben: ApiUser;
  /** A person of another tenant, where `otherTenant` is needed. */
  readonly carla: ApiUser;
  /** A program, where `automation` is needed. */
  readonly robot: ApiUser;
  /** The guarded route, where `write` is needed. */
  readonly write: GuardedWrite;
  /** A record that nobody has claimed. */
  readonly newRef: (entityType?: string) => EntityRef;
  /** Opens a connection that is closed when the check is over. */
  readonly listen: (user: ApiUser | null) => Promise<HubEar>;
}

/** One requirement of the design. */
export interface ConformanceCheck {
  /** Section and name, such as `7 claim: a free record is acquired`. */
  readonly id: string;
  /** It is skipped where one of these is lacking. */
  readonly needs?: readonly CheckNeed[];
  /** Throws where the backend does something else. */
  readonly run: (kit: CheckKit) => Promise<void>;
}
