import type { WebSocketHandlerConnection } from 'msw';
import type { HubProtocol, HubWire, MessageBatch } from '../core/index.ts';

/** A hub connection's wire over a mocked WebSocket: text alone, and nothing is ever left unread. */
export class MockHubWire implements HubWire {
  readonly formats = ['Text'] as const;
  readonly keepsAlive = false;
  readonly bufferedBytes = 0;
  readonly takenBytes = 0;
  readonly #client: WebSocketHandlerConnection['client'];

  constructor(client: WebSocketHandlerConnection['client']) {
    this.#client = client;
  }

  write(batch: MessageBatch, protocol: HubProtocol): void {
    this.#client.send(batch.text(protocol));
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  /** What the page sends is there already. */
  pause(): void {}

  resume(): void {}

  close(code: number): void {
    // One microtask later, as `send` is: a close at once would overtake the Close message.
    queueMicrotask(() => this.#client.close(code));
  }

  abort(): void {
    this.#client.close(1006);
  }
}
