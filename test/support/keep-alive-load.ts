import { Agent, request } from 'node:http';
import type { NodeProcess } from './node-process.ts';
import { tokenFor } from './test-tokens.ts';

const AT_ONCE = 4;
/** So many that nobody's rate budget is used up. */
const USERS = 100;

/** What became of the requests of clients that keep their connections, and go to the other node when one is gone. */
export interface KeepAliveCounts {
  /** 200, by the node that answered. */
  readonly answered: readonly number[];
  /** Nobody listens there any more (refused, or reset before it was accepted): nothing was sent, and the other node is asked. */
  refused: number;
  /** The request was on a kept connection that the node was just closing: what HTTP/1.1 allows (RFC 9112, 9.3.1). */
  onClosed: number;
  /** Anything else: an answer that is not 200, a connection that was made for this request and then cut. */
  readonly failed: string[];
}

/** Claims that go on, some at a time, until they are stopped. */
export interface KeepAliveLoad {
  readonly counts: KeepAliveCounts;
  stop(): Promise<void>;
}

/** Starts at once, on the first node. Each claim is of one of many users, of one record of theirs. */
export async function startKeepAliveLoad(
  nodes: readonly Pick<NodeProcess, 'port'>[],
): Promise<KeepAliveLoad> {
  const agent = new Agent({ keepAlive: true });
  const tokens = await Promise.all(
    Array.from({ length: USERS }, (_, at) => tokenFor({ oid: `load-user-${at}` })),
  );
  const answered = nodes.map(() => 0);
  const counts: KeepAliveCounts = { answered, refused: 0, onClosed: 0, failed: [] };
  let target = 0;
  let isOver = false;
  const claim = (at: number, user: number) =>
    new Promise<void>((resolve) => {
      const sent = request({
        agent,
        headers: { authorization: `Bearer ${tokens[user] ?? ''}`, 'content-type': 'application/json' },
        method: 'POST',
        port: nodes[at]?.port,
        host: '127.0.0.1',
        path: `/api/locks/ApprovalRequest/record-of-${user}/claim`,
      });
      sent.on('response', (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) answered[at] = (answered[at] ?? 0) + 1;
          else counts.failed.push(`status ${response.statusCode ?? 0}`);
          resolve();
        });
        response.on('error', (error) => {
          counts.failed.push(`cut off in an answer: ${error.message}`);
          resolve();
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.syscall === 'connect') counts.refused += 1;
        else if (sent.reusedSocket) counts.onClosed += 1;
        else counts.failed.push(`on a new connection: ${error.code ?? ''} ${error.message}`);
        if (target === at) target = (at + 1) % nodes.length;
        resolve();
      });
      sent.end('{"sessionId":"s1"}');
    });
  let claims = 0;
  const work = async () => {
    while (!isOver) {
      claims += 1;
      await claim(target, claims % USERS);
    }
  };
  const working = Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    counts,
    async stop() {
      isOver = true;
      await working;
      agent.destroy();
    },
  };
}
