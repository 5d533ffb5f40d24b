import { after, before, describe } from 'node:test';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { claimContract } from './claim.contract.ts';
import { changesContract } from './changes.contract.ts';
import { contractKit } from './contract-kit.ts';
import { fenceContract } from './fence.contract.ts';
import { holdWriteContract } from './hold-write.contract.ts';
import { readingContract } from './reading.contract.ts';
import { recordContract } from './record.contract.ts';
import { releaseContract } from './release.contract.ts';
import { renewContract } from './renew.contract.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { takeOverContract } from './take-over.contract.ts';

/**
 * What a lock store guarantees. Every implementation runs exactly these tests, each named after the clause that it
 * proves; nothing here knows how a store keeps its locks.
 */
export function lockStoreContract(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let subject: StoreUnderTest | undefined;
    let recorder: ChangeRecorder | undefined;
    const kit = contractKit(
      () => subject,
      () => recorder,
    );
    before(async () => {
      subject = await start();
      recorder = await ChangeRecorder.start(subject.feed, kit.tenant, kit.otherTenant);
    });
    after(async () => {
      recorder?.stop();
      await subject?.stop();
    });
    for (const contract of [
      recordContract,
      claimContract,
      renewContract,
      releaseContract,
      takeOverContract,
      holdWriteContract,
      fenceContract,
      readingContract,
      changesContract,
    ]) {
      contract(kit);
    }
  });
}
