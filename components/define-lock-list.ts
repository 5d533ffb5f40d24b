// Registers `<lock-list>`, which is an entry of its own: not every page needs it. Loading it twice is harmless.
import { LockList } from './lock-list.ts';

export { LockList } from './lock-list.ts';
export type { DescribeRecord, RecordTitle } from './record-titles.ts';
export { registerListMessages, type ListMessageKey } from './list-messages.ts';
export {
  leftOutText,
  readBulkAnswer,
  sortOutLocked,
  type BulkAnswerRow,
  type BulkLocks,
} from './bulk-locks.ts';

if (!customElements.get('lock-list')) customElements.define('lock-list', LockList);
