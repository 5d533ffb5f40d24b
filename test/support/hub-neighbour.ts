import assert from 'node:assert/strict';
import type { HubNode } from './hub-node.ts';
import { RawWebSocket } from './raw-web-socket.ts';
import { until } from './until.ts';

/** A well-behaved client, which must not notice what others do: hears a count every few milliseconds, and its own echo. */
export class HubNeighbour {
  readonly #node: HubNode;
  readonly #client: RawWebSocket;
  readonly #sending: NodeJS.Timeout;
  readonly #delaysMs: number[] = [];
  #sent = 0;

  private constructor(node: HubNode, client: RawWebSocket) {
    this.#node = node;
    this.#client = client;
    let seen = 1;
    client.socket.on('data', () => {
      for (const { arguments: args } of client.messages.slice(seen)) {
        seen += 1;
        if (Array.isArray(args)) this.#delaysMs.push(performance.now() - Number(args[1]));
      }
    });
    this.#sending = setInterval(() => this.#tick(), 5);
  }

  static async join(node: HubNode): Promise<HubNeighbour> {
    return new HubNeighbour(node, await RawWebSocket.open({ port: node.port, token: 'neighbour' }));
  }

  /** Hears the rest, and goes. */
  async leave(): Promise<void> {
    clearInterval(this.#sending);
    this.#client.message({ type: 1, invocationId: 'end', target: 'Echo', arguments: ['through'] });
    await until('the neighbour’s answer', () =>
      this.#client.messages.some(({ result }) => result === 'through'),
    );
    const counts = this.#client.messages
      .filter(({ target }) => target === 'Tick')
      .map(({ arguments: args }) => (args as readonly number[])[0]);
    this.#client.socket.destroy();
    assert.deepEqual(
      counts,
      Array.from({ length: this.#sent }, (_, at) => at + 1),
      'the neighbour heard all, in order',
    );
    const sorted = [...this.#delaysMs].sort((left, right) => left - right);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    assert.equal(at(0.5) < 100, true, `half of its messages took more than ${at(0.5)} ms`);
    assert.equal(at(1) < 1_500, true, `one of its messages took ${at(1)} ms`);
  }

  #tick(): void {
    this.#sent += 1;
    this.#node.hub.user('tenant-a', 'neighbour').send('Tick', this.#sent, performance.now());
  }
}
