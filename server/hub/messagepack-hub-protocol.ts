import { Decoder, Encoder } from '@msgpack/msgpack';
import {
  InvalidHubMessage,
  readHubMessage,
  type HubInput,
  type HubMessage,
  type HubProtocol,
} from '../../core/index.ts';
import { checkMessagePackLengths } from './check-messagepack-lengths.ts';

/** A length takes 5 bytes of 7 bits at most, and is 0x7fffffff at most (HubProtocol.md, "MessagePack format"). */
const MAX_PREFIX_BYTES = 5;
const MAX_LENGTH = 0x7fffffff;

const encoder = new Encoder({ ignoreUndefined: true });
const decoder = new Decoder();

/** SignalR's MessagePack protocol: messages are arrays, each behind its length. Payload names stay as they are. */
export const messagePackHubProtocol: HubProtocol = {
  name: 'messagepack',
  format: 'Binary',
  take,
  read(body) {
    let fields: unknown;
    try {
      checkMessagePackLengths(body);
      fields = decoder.decode(body);
    } catch (cause) {
      throw new InvalidHubMessage('expected MessagePack', { cause });
    }
    return readHubMessage(named(fields));
  },
  write(message) {
    const body = encoder.encode(fieldsOf(message));
    const prefix = lengthPrefix(body.length);
    const framed = new Uint8Array(prefix.length + body.length);
    framed.set(prefix);
    framed.set(body, prefix.length);
    return framed;
  },
};

function take(input: HubInput, maxBytes: number): Uint8Array | null {
  let length = 0;
  for (let index = 0; index < MAX_PREFIX_BYTES; index += 1) {
    const byte = input.at(index);
    if (byte === undefined) return null;
    length += (byte & 0x7f) * 2 ** (7 * index);
    const prefixBytes = index + 1;
    if (length > MAX_LENGTH || prefixBytes + length > maxBytes)
      throw new InvalidHubMessage(`expected ${maxBytes} bytes at most`);
    if (byte < 0x80) return input.take(prefixBytes, length);
  }
  throw new InvalidHubMessage(`expected a length of ${MAX_PREFIX_BYTES} bytes at most`);
}

function lengthPrefix(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    const low = rest % 0x80;
    rest = Math.floor(rest / 0x80);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}

/** Gives the fields of a message their names. Readers look at the least that must be there; more is ignored. */
function named(fields: unknown): unknown {
  if (!Array.isArray(fields)) throw new InvalidHubMessage('expected an array');
  const [type, ...rest] = fields as unknown[];
  switch (type) {
    case 1:
    case 4: {
      const [, invocationId, target, args, streamIds] = rest;
      return { type, invocationId, target, arguments: args, streamIds };
    }
    case 2:
      atLeast(rest, 3);
      return { type, invocationId: rest[1], item: rest[2] };
    case 3:
      return completion(rest);
    case 5:
      return { type, invocationId: rest[1] };
    case 7:
      return { type, error: rest[0], allowReconnect: rest[1] ?? false };
    default:
      return { type };
  }
}

function completion(rest: readonly unknown[]): unknown {
  const [, invocationId, kind, payload] = rest;
  switch (kind) {
    case 1:
      if (typeof payload !== 'string') throw new InvalidHubMessage('error: expected text');
      return { type: 3, invocationId, error: payload };
    case 2:
      return { type: 3, invocationId };
    case 3:
      atLeast(rest, 4);
      return { type: 3, invocationId, result: payload };
    default:
      throw new InvalidHubMessage('result kind: expected 1, 2 or 3');
  }
}

function atLeast(rest: readonly unknown[], count: number): void {
  if (rest.length < count) throw new InvalidHubMessage(`expected ${count + 1} fields at least`);
}

/** The server writes all six fields of an invocation and all three of a close. */
function fieldsOf(message: HubMessage): readonly unknown[] {
  switch (message.type) {
    case 1:
    case 4: {
      const { type, invocationId = null, target, streamIds = [] } = message;
      return [type, {}, invocationId, target, message.arguments, streamIds];
    }
    case 2:
      return [2, {}, message.invocationId, message.item];
    case 3: {
      const { invocationId, error, result } = message;
      if (error !== undefined) return [3, {}, invocationId, 1, error];
      return 'result' in message ? [3, {}, invocationId, 3, result] : [3, {}, invocationId, 2];
    }
    case 5:
      return [5, {}, message.invocationId];
    case 6:
      return [6];
    case 7:
      return [7, message.error ?? null, message.allowReconnect ?? false];
    default:
      return message satisfies never;
  }
}
