import { lockable } from 'rowlock/core';
import { createRowlock, memoryBackend, type RowlockOptions } from 'rowlock/server';
import { prometheusMetrics } from 'rowlock/metrics';

const options: RowlockOptions = {
  types: [lockable('Order')],
  identify: async () => ({ tenant: 't', oid: 'anna', name: 'Anna', kind: 'user' }),
  backend: memoryBackend(),
};
createRowlock(options).attach;
console.log(prometheusMetrics);
// @ts-expect-error -- types are marked with lockable()
createRowlock({ ...options, types: ['Order'] });
