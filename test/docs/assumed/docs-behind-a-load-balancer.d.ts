declare const createRowlock: typeof import('rowlock/server').createRowlock;
declare const redisBackend: typeof import('rowlock/server').redisBackend;
// Set on every node.
declare const process: NodeJS.Process & {
  readonly env: { readonly REDIS_URL: string; readonly HUB_SECRET: string };
};
