import type { ApprovalRequest } from './approval-request.ts';
import { formatMoney } from './page-locale.ts';
import type { DraftField } from './request-draft.ts';

/**
 * Tells a person what is different now about the request in front of them; null where nothing shows.
 * `clashes` are the fields in which they typed something of their own.
 */
export function changeText(
  base: ApprovalRequest,
  fresh: ApprovalRequest,
  clashes: readonly DraftField[],
): string | null {
  const money = ({ amount }: ApprovalRequest) => formatMoney(amount, fresh.currency);
  const changes = [
    base.amount === fresh.amount ? '' : `the amount from ${money(base)} to ${money(fresh)}`,
    base.customer === fresh.customer ? '' : `the customer to ${fresh.customer}`,
    base.note === fresh.note ? '' : 'the note',
  ].filter((change) => change !== '');
  if (changes.length === 0) return null;
  const list = new Intl.ListFormat(document.documentElement.lang || 'en').format(changes);
  const told = `Loaded the latest state. Changed meanwhile: ${list}.`;
  if (clashes.length === 0) return told;
  return `${told} Your own text is kept (${clashes.join(', ')}); saving it replaces theirs.`;
}
