import * as v from 'valibot';
import { ApprovalError } from './approval-error.ts';
import type { ApprovalEdit } from './approval-request.ts';

const money = 'an amount from 0 to 10,000,000 with at most two decimals';

const Edit = v.strictObject({
  customer: v.optional(
    v.pipe(
      v.string('a text'),
      v.trim(),
      v.nonEmpty('a name that is not empty'),
      v.maxLength(120, 'at most 120 characters'),
    ),
  ),
  amount: v.optional(
    v.pipe(
      v.number(money),
      v.minValue(0, money),
      v.maxValue(10_000_000, money),
      v.check((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, money),
    ),
  ),
  note: v.optional(v.pipe(v.string('a text'), v.maxLength(1_000, 'at most 1,000 characters'))),
});

/** Checks the body of a PUT. Throws `ApprovalError("bad-request")` naming the field. */
export function readApprovalEdit(body: unknown): ApprovalEdit {
  if (Array.isArray(body)) throw refusal('body', 'expected a JSON object');
  const result = v.safeParse(Edit, body, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue);
  if (field === null) throw refusal('body', 'expected a JSON object');
  if (issue.type !== 'strict_object') throw refusal(field, `expected ${issue.message}`);
  throw refusal(field, 'is no field that may change; customer, amount and note are');
}

function refusal(field: string, problem: string): ApprovalError {
  return new ApprovalError('bad-request', `${field}: ${problem}.`, { field });
}

/** Reads `If-Match: "7"` (RFC 9110 section 13.1.1). Absent or `*` ⇒ undefined. Throws `bad-request`. */
export function readVersion(ifMatch: string | null | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch === null || ifMatch === '*') return undefined;
  const version = /^"(\d{1,9})"$/.exec(ifMatch)?.[1];
  if (version !== undefined) return Number(version);
  throw refusal('If-Match', 'expected the ETag of the request as it was read, for example "7"');
}
