import type { Express, NextFunction, Request, Response } from 'express';
import type { Rowlock } from '../../server/index.ts';
import type { RowlockNode } from './rowlock-node.ts';

/** An application without a state check of its own: it reads, does something else, and writes. Its guards hold. */
export class CarelessDesk {
  /** Decisions about a request. */
  readonly decisions = new Map<string, number>();
  /** Handlers that were reached. */
  readonly calls = new Map<string, number>();
  #gate: Promise<void> | null = null;

  addRoutes(app: Express, { guardWrites }: Rowlock): void {
    const guarded = { type: 'ApprovalRequest', uid: idOf, hold: true };
    app.post('/:id/:verb', guardWrites({ ...guarded, releaseAfter: true }), async (request, response) => {
      await this.#approve(idOf(request));
      if (request.params['verb'] === 'fail') response.status(422);
      if (request.params['verb'] === 'throw') throw new Error('the application broke');
      response.json({ ok: true });
    });
    app.put('/:id', guardWrites(guarded), (_request, response) => {
      response.json({ ok: true });
    });
    app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).json({ ok: false });
    });
  }

  /** Keeps handlers from going on. Returns its end. */
  pause(): () => void {
    let open = () => {};
    this.#gate = new Promise<void>((resolve) => (open = resolve));
    return () => {
      this.#gate = null;
      open();
    };
  }

  async #approve(id: string): Promise<void> {
    this.calls.set(id, (this.calls.get(id) ?? 0) + 1);
    const before = this.decisions.get(id) ?? 0;
    await (this.#gate ?? new Promise((resolve) => setImmediate(resolve)));
    this.decisions.set(id, before + 1);
  }
}

/** What two approvals at once came to, many times. */
export interface PairsOfApprovals {
  /** Rounds in which more or less than one decision was made at a time. */
  readonly wrong: readonly string[];
  /** The codes of the refusals, and how many there were of each. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** Sends each request two approvals at once, over two nodes, with these tokens. */
export async function approveInPairs(
  desk: CarelessDesk,
  nodes: readonly [RowlockNode, RowlockNode],
  tokens: readonly [string, string],
  rounds: number,
  name: string,
): Promise<PairsOfApprovals> {
  const wrong: string[] = [];
  const refusals: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    const id = `${name}-${round}`;
    const both = await Promise.all(
      nodes.map((node, at) => node.call('POST', `/${id}/approve`, { as: tokens[at] ?? null })),
    );
    for (const { status, json } of both) {
      const code = String(json['code']);
      if (status === 409) refusals[code] = (refusals[code] ?? 0) + 1;
    }
    // A second one that came after the first's answer is no parallel decision: it saw the first, and counts up.
    const decided = both.filter(({ status }) => status === 200).length;
    if (decided < 1 || desk.decisions.get(id) !== decided) wrong.push(`${id}: ${decided} answers of 200`);
  }
  return { wrong, refusals };
}

function idOf({ params }: { readonly params: object }): string {
  return 'id' in params ? String(params.id) : '';
}
