import type { HubMessage } from './hub-message.ts';
import type { HubProtocol } from './hub-protocol.ts';

type Encoded = string | Uint8Array;

/** One message on its way to any number of connections: written once per protocol. */
export class OutgoingMessage {
  readonly #message: HubMessage | Encoded;
  #first: { readonly protocol: HubProtocol; readonly encoded: Encoded } | null = null;
  #others: Map<HubProtocol, Encoded> | null = null;

  /** Text is sent as it is in every protocol: a handshake's reply. */
  constructor(message: HubMessage | string) {
    this.#message = message;
  }

  /** Throws where a payload cannot be written: whoever sends asks before, so that a broadcast never stops half-way. */
  encoded(protocol: HubProtocol): Encoded {
    if (this.#first?.protocol === protocol) return this.#first.encoded;
    const known = this.#others?.get(protocol);
    if (known !== undefined) return known;
    const encoded = isText(this.#message) ? this.#message : protocol.write(this.#message as HubMessage);
    if (this.#first === null) this.#first = { protocol, encoded };
    else (this.#others ??= new Map()).set(protocol, encoded);
    return encoded;
  }
}

function isText(message: HubMessage | Encoded): message is string {
  return typeof message === 'string';
}
