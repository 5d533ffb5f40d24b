import { HubInput } from './hub-input.ts';
import type { HubLimits } from './hub-limits.ts';
import type { HubMessage } from './hub-message.ts';
import type { HubProtocol } from './hub-protocol.ts';
import { InvalidHubMessage } from './invalid-hub-message.ts';
import { takeJsonMessage } from './json-hub-protocol.ts';
import { MessageRate } from './message-rate.ts';
import { encodeUtf8 } from './utf8.ts';

/** What one client sends, message by message, within its limits. Everything here throws `InvalidHubMessage` beyond them. */
export class ConnectionInput {
  readonly #bytes = new HubInput();
  readonly #limits: HubLimits;
  readonly #rate: MessageRate;

  constructor(limits: HubLimits) {
    this.#limits = limits;
    this.#rate = new MessageRate(limits.maxMessagesPerSecond);
  }

  push(data: string | Uint8Array): void {
    this.#bytes.push(typeof data === 'string' ? encodeUtf8(data) : data);
  }

  /** The handshake, once it is all here; null before. It is JSON whatever protocol it chooses. */
  takeHandshake(): Uint8Array | null {
    return takeJsonMessage(this.#bytes, this.#limits.maxMessageBytes);
  }

  /** The next whole message; `unknown` for a type that is ignored, null where there is none yet. */
  take(protocol: HubProtocol): HubMessage | 'unknown' | null {
    const body = protocol.take(this.#bytes, this.#limits.maxMessageBytes);
    return body === null ? null : (protocol.read(body) ?? 'unknown');
  }

  /** Counts a message of the present moment. */
  countAt(nowMs: number): void {
    if (this.#rate.isExceededBy(nowMs)) throw new InvalidHubMessage('expected fewer messages per second');
  }

  clear(): void {
    this.#bytes.clear();
  }
}
