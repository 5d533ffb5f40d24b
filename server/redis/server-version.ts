import type { Redis } from 'ioredis';

/**
 * The major version that a Redis says it has; 0 where it does not say. By HELLO, which needs no right: INFO and COMMAND
 * may be refused.
 */
export async function serverVersion(redis: Redis): Promise<number> {
  const reply: unknown = await redis.hello();
  const fields = reply instanceof Map ? [...reply].flat() : Array.isArray(reply) ? (reply as unknown[]) : [];
  const at = fields.findIndex((field) => String(field) === 'version');
  return at < 0 ? 0 : Number.parseInt(String(fields[at + 1]), 10) || 0;
}
