export { createMockBackend, type MockBackend, type MockBackendOptions } from './mock-backend.ts';
export { guardMockWrite, type MockWriteGuard, type MockWriteOptions } from './guard-mock-write.ts';
export { lockHandlers } from './lock-handlers.ts';
export { startMockWorker, type MockWorker, type MockWorkerOptions } from './browser.ts';
export type { MockPerson } from './mock-person.ts';
export type { MockFailure } from './mock-failure.ts';
export type { MockUser } from './mock-users.ts';
