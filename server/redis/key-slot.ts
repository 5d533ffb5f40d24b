/** A cluster has so many hash slots. */
const SLOTS = 16_384;

/**
 * The hash slot of a key or of a sharded channel, by the Redis Cluster specification: CRC16 (XMODEM) of what stands
 * between the first `{` and the next `}`, where that is not empty, otherwise of the whole key.
 */
export function keySlot(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  let crc = 0;
  for (const byte of Buffer.from(close > open + 1 ? key.slice(open + 1, close) : key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc % SLOTS;
}
