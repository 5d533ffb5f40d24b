export type ApprovalStatus = 'open' | 'approved' | 'rejected';

/** One row of "My approvals": money that somebody wants to spend for a customer's transport. Immutable. */
export interface ApprovalRequest {
  /** `REQ-2041` */
  readonly id: string;
  readonly customer: string;
  /** What it is for: a route, or a service. */
  readonly subject: string;
  /** In units of `currency`, at most two decimals. */
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
  readonly requestedBy: string;
  /** `2026-03-09` */
  readonly requestedOn: string;
  readonly note: string;
  readonly status: ApprovalStatus;
  readonly decidedBy: string | null;
  /** ISO-8601 in UTC. */
  readonly decidedAtUtc: string | null;
  /** Grows with every change, whoever made it. The request's own ETag: a lock does not replace it. */
  readonly version: number;
}

/** What a person may change of an open request. Absent = as it was. */
export interface ApprovalEdit {
  readonly customer?: string | undefined;
  readonly amount?: number | undefined;
  readonly note?: string | undefined;
}
