/** Runs all to their end, then rejects with the first failure: nothing goes on beside the next round. */
export async function runWorkers(workers: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
