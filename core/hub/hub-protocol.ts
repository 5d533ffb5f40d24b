import type { HubInput } from './hub-input.ts';
import type { HubMessage } from './hub-message.ts';

/** How hub messages are written: SignalR has two protocols, `json` and `messagepack`. */
export interface HubProtocol {
  /** As the handshake names it. */
  readonly name: string;
  /** What a transport must carry; also the kind of WebSocket frame. */
  readonly format: 'Text' | 'Binary';
  /**
   * Takes the next whole message out of the input, without its framing; null where it is not all here yet. Throws
   * `InvalidHubMessage` where it is, or is going to be, larger than `maxBytes` with its framing.
   */
  take(input: HubInput, maxBytes: number): Uint8Array | null;
  /** Reads a message; null = of an unknown type. Throws `InvalidHubMessage`. */
  read(body: Uint8Array): HubMessage | null;
  /** Writes a message with its framing. Throws where a payload cannot be written. */
  write(message: HubMessage): string | Uint8Array;
}
