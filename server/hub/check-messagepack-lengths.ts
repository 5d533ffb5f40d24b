/** Bytes of the length behind the first byte, by first byte: text, bytes, extensions, arrays, maps (MessagePack specification, "Formats"). */
const LENGTH_BYTES: Readonly<Record<number, 1 | 2 | 4>> = {
  0xc4: 1,
  0xc5: 2,
  0xc6: 4,
  0xc7: 1,
  0xc8: 2,
  0xc9: 4,
  0xd9: 1,
  0xda: 2,
  0xdb: 4,
  0xdc: 2,
  0xdd: 4,
  0xde: 2,
  0xdf: 4,
};

/** Bytes behind the first byte of values of one size: numbers, extensions of a fixed length with their type. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
  0xd4: 2,
  0xd5: 3,
  0xd6: 5,
  0xd7: 9,
  0xd8: 17,
};

/**
 * Throws a RangeError where an array, a map, text or bytes say that they are longer than what there is. The decoder
 * makes an array as long as it says at once: a few bytes of a client would take gigabytes. Does not look at the values.
 */
export function checkMessagePackLengths(body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  // Each value takes a byte at least, so there are never more to come than bytes.
  for (let toCome = 1; toCome > 0; toCome -= 1) {
    if (toCome > body.length - at) throw new RangeError('expected lengths that the message can hold');
    const { values, bytes } = headOf(view, at);
    toCome += values;
    at += bytes;
  }
}

/** How many values follow inside this one, and how many bytes it takes without them. */
function headOf(view: DataView, at: number): { readonly values: number; readonly bytes: number } {
  const first = view.getUint8(at);
  if (first < 0x80 || first >= 0xe0) return { values: 0, bytes: 1 };
  if (first < 0x90) return { values: 2 * (first & 0x0f), bytes: 1 };
  if (first < 0xa0) return { values: first & 0x0f, bytes: 1 };
  if (first < 0xc0) return { values: 0, bytes: 1 + (first & 0x1f) };
  const lengthBytes = LENGTH_BYTES[first];
  if (lengthBytes === undefined) return { values: 0, bytes: 1 + (FIXED_BYTES[first] ?? 0) };
  const length = lengthAt(view, at + 1, lengthBytes);
  if (first >= 0xde) return { values: 2 * length, bytes: 1 + lengthBytes };
  if (first >= 0xdc) return { values: length, bytes: 1 + lengthBytes };
  const typeBytes = first >= 0xc7 && first <= 0xc9 ? 1 : 0;
  return { values: 0, bytes: 1 + lengthBytes + typeBytes + length };
}

/** Throws a RangeError behind the end. */
function lengthAt(view: DataView, at: number, bytes: 1 | 2 | 4): number {
  if (bytes === 1) return view.getUint8(at);
  return bytes === 2 ? view.getUint16(at) : view.getUint32(at);
}
