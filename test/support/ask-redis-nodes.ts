import { Redis } from 'ioredis';

/** Gives a short-lived client of each server on loopback. One that is dead or silent rejects what it is asked. */
export async function askRedisNodes<Answer>(
  ports: readonly number[],
  ask: (clients: readonly Redis[]) => Promise<Answer>,
): Promise<Answer> {
  const clients = ports.map((port) => {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      retryStrategy: () => null,
      commandTimeout: 1_000,
      connectTimeout: 1_000,
    });
    client.on('error', () => {}); // the rejected call says it
    return client;
  });
  try {
    return await ask(clients);
  } finally {
    for (const client of clients) client.disconnect();
  }
}
