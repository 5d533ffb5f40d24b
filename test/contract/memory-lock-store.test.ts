import { MemoryLockStore } from '../../core/index.ts';
import { lockStoreContract } from './lock-store.contract.ts';

lockStoreContract('MemoryLockStore', async () => {
  const store = new MemoryLockStore();
  return {
    store,
    feed: store.feed,
    // What it keeps beyond live locks has lifetimes of its own; what others can see of it are the locks.
    async lifetimesMs() {
      const types = ['ApprovalRequest', 'Random', 'Listed', 'Untouched', 'NeverSeen'];
      const pages = await Promise.all(types.map((type) => store.list('tenant-a', type, { limit: 1_000 })));
      return pages.flatMap(({ locks }) => locks.map(({ expiresInMs }) => expiresInMs));
    },
    async stop() {},
  };
});
