import type { ApprovalEdit, ApprovalRequest } from './approval-request.ts';

export const DRAFT_FIELDS = ['customer', 'amount', 'note'] as const;
export type DraftField = (typeof DRAFT_FIELDS)[number];

/** What stands in the form's fields, as typed. */
export type RequestDraft = Readonly<Record<DraftField, string>>;

/** The fields as the request has them. */
export function draftOf({ customer, amount, note }: ApprovalRequest): RequestDraft {
  return { customer, amount: String(amount), note };
}

/** The fields in which the draft says something else than the request. `1840.00` is the amount 1840. */
export function typedFields(draft: RequestDraft, request: ApprovalRequest): readonly DraftField[] {
  return DRAFT_FIELDS.filter((field) => !says(draft, field, request));
}

/** The body of the PUT. */
export function editOf({ customer, amount, note }: RequestDraft): ApprovalEdit {
  return { customer, amount: amount.trim() === '' ? Number.NaN : Number(amount), note };
}

/**
 * Carries a draft over to a newer state of its request: what was typed stays, what was not touched takes the new
 * value. `clashes` are the fields in which both the person and somebody else wrote.
 */
export function rebaseDraft(
  draft: RequestDraft,
  base: ApprovalRequest,
  fresh: ApprovalRequest,
): { readonly draft: RequestDraft; readonly clashes: readonly DraftField[] } {
  const typed = typedFields(draft, base).filter((field) => !says(draft, field, fresh));
  const kept = Object.fromEntries(typed.map((field) => [field, draft[field]]));
  return {
    draft: { ...draftOf(fresh), ...kept },
    clashes: typed.filter((field) => base[field] !== fresh[field]),
  };
}

function says(draft: RequestDraft, field: DraftField, request: ApprovalRequest): boolean {
  return field === 'amount'
    ? draft.amount.trim() !== '' && Number(draft.amount) === request.amount
    : draft[field] === request[field];
}
