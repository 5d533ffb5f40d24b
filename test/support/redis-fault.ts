import type { RedisBackendOptions } from '../../server/index.ts';

/** A Redis that something can happen to. */
export interface RedisFaultStage {
  /** Where a node finds it. */
  readonly target: RedisBackendOptions;
  /** Whose locks are hit. */
  readonly tenant: string;
  /** Every server that could carry out a claim, those that are not up yet included. */
  readonly ports: readonly number[];
  begin(): Promise<unknown>;
  /** Resolves when Redis is as good as new, or another one has taken its place. */
  end(): Promise<unknown>;
  /** What comes after that, of itself: a master that hung wakes, and learns that it is none any more. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Something that happens to a Redis. */
export interface RedisFault {
  readonly name: string;
  /** False where Redis was never there: nothing can be carried out before. */
  readonly beginsWell: boolean;
  prepare(): Promise<RedisFaultStage>;
}
