import { lockPaths, type EntityRef, type LeaseAnswer, type ReleaseAnswer } from '../../core/index.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { tokenFor } from '../support/test-tokens.ts';

const HANDS = 16;
const USERS = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay'] as const;
const SESSION = 's1';

interface Step {
  readonly node: NodeProcess;
  readonly ref: EntityRef;
  readonly holder: string | undefined;
}

/** Users who claim, renew, take over, release and save, all at once and on all nodes. */
export class BusyOffice {
  readonly #nodes: readonly NodeProcess[];
  readonly #refs: readonly EntityRef[];
  readonly #tokens = new Map<string, string>();
  readonly #holders = new Map<EntityRef, string>();
  /** Steps that changed something, and so were told to everybody. */
  readonly done = { claimed: 0, renewed: 0, takenOver: 0, released: 0, published: 0 };
  /** Answers that never came, or came as 5xx or `unknown`: a node was gone, or Redis away for it. */
  failures = 0;

  constructor(nodes: readonly NodeProcess[], refs: readonly EntityRef[]) {
    this.#nodes = nodes;
    this.#refs = refs;
  }

  get changes(): number {
    const { claimed, renewed, takenOver, released, published } = this.done;
    return claimed + renewed + takenOver + released + published;
  }

  /** Works until there were so many changes; no step is under way when it resolves. */
  workUntil(changes: number): Promise<void> {
    return this.workWhile(() => this.changes < changes);
  }

  async workWhile(isWanted: () => boolean): Promise<void> {
    for (const oid of USERS) this.#tokens.set(oid, await tokenFor({ oid }));
    const hand = async () => {
      while (isWanted()) {
        const ref = pick(this.#refs);
        try {
          await this.#step({ node: pick(this.#nodes), ref, holder: this.#holders.get(ref) });
        } catch {
          this.failures += 1; // the node was killed: the step may or may not have happened
        }
      }
    };
    await Promise.all(Array.from({ length: HANDS }, hand));
  }

  async #step({ node, ref, holder }: Step): Promise<void> {
    const chance = Math.random();
    if (chance < 0.1) {
      await node.publish({ ...ref, operation: 'Updated' });
      this.done.published += 1;
    } else if (holder === undefined) await this.#lease(node, ref, 'claim', pick(USERS));
    else if (chance < 0.5) await this.#lease(node, ref, 'renew', holder);
    else if (chance < 0.75) await this.#lease(node, ref, 'takeOver', pick(USERS), holder);
    else await this.#release(node, ref, holder);
  }

  async #lease(
    node: NodeProcess,
    ref: EntityRef,
    verb: 'claim' | 'renew' | 'takeOver',
    user: string,
    fromHolderOid?: string,
  ): Promise<void> {
    const body = JSON.stringify({
      sessionId: SESSION,
      ...(fromHolderOid === undefined ? {} : { fromHolderOid }),
    });
    const answer = (await this.#call(node, 'POST', lockPaths[verb](ref), user, body)) as LeaseAnswer;
    if (answer.outcome === 'unknown') this.failures += 1;
    if (answer.lock !== null) this.#holders.set(ref, answer.lock.holderOid);
    else this.#holders.delete(ref);
    if (answer.outcome !== 'acquired') return;
    if (verb === 'claim') this.done.claimed += 1;
    else if (verb === 'renew') this.done.renewed += 1;
    else this.done.takenOver += 1;
  }

  async #release(node: NodeProcess, ref: EntityRef, user: string): Promise<void> {
    const path = `${lockPaths.entity(ref)}?sessionId=${SESSION}`;
    const { outcome } = (await this.#call(node, 'DELETE', path, user)) as ReleaseAnswer;
    this.#holders.delete(ref);
    if (outcome === 'released') this.done.released += 1;
    if (outcome === 'unknown') this.failures += 1;
  }

  async #call(
    node: NodeProcess,
    method: string,
    path: string,
    user: string,
    body?: string,
  ): Promise<unknown> {
    const response = await fetch(`${node.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#tokens.get(user) ?? ''}` },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}
