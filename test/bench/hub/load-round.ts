/** What is to come in one round. */
export interface RoundPlan {
  readonly turns: number;
  /** Messages that each turn publishes. */
  readonly perTurn: number;
}

/** When it came. Milliseconds. */
export interface RoundTimes {
  /** From the start to the last delivery. */
  readonly wallMs: number;
  /** Turn by turn, since the whole crowd had the turn before: until half of the crowd, and all of it, had this one. */
  readonly halfMs: readonly number[];
  readonly allMs: readonly number[];
}

/** Counts the deliveries of one round to a crowd of clients, each of which hears all messages in order. */
export class LoadRound {
  readonly #plan: RoundPlan;
  readonly #clients: number;
  /** How many clients have each turn whole. */
  readonly #have: Uint32Array;
  readonly #halfMs: number[] = [];
  readonly #allMs: number[] = [];
  readonly #startedAt = performance.now();
  #turnAt = this.#startedAt;
  #deliveries = 0;

  constructor(plan: RoundPlan, clients: number) {
    this.#plan = plan;
    this.#clients = clients;
    this.#have = new Uint32Array(plan.turns);
  }

  get deliveries(): number {
    return this.#deliveries;
  }

  get expected(): number {
    return this.#plan.turns * this.#plan.perTurn * this.#clients;
  }

  /** Turns that the whole crowd has. */
  get turns(): number {
    return this.#allMs.length;
  }

  get isOver(): boolean {
    return this.turns === this.#plan.turns;
  }

  get times(): RoundTimes {
    return { wallMs: this.#turnAt - this.#startedAt, halfMs: this.#halfMs, allMs: this.#allMs };
  }

  /**
   * One client had `before` messages of this round and has `now` ones. True when the whole crowd has a further turn.
   * Throws when it is more than was published.
   */
  take(before: number, now: number): boolean {
    const { perTurn, turns } = this.#plan;
    this.#deliveries += now - before;
    const first = Math.floor(before / perTurn);
    const last = Math.floor(now / perTurn);
    if (now > perTurn * turns)
      throw new Error(`A client got ${now} messages, and ${perTurn * turns} were published.`);
    let isFurther = false;
    for (let turn = first; turn < last; turn += 1) {
      const have = (this.#have[turn] ?? 0) + 1;
      this.#have[turn] = have;
      if (have * 2 === this.#clients) this.#halfMs.push(performance.now() - this.#turnAt);
      if (have < this.#clients) continue;
      const at = performance.now();
      this.#allMs.push(at - this.#turnAt);
      this.#turnAt = at;
      isFurther = true;
    }
    return isFurther;
  }
}
