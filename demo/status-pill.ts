import { html, type TemplateResult } from 'lit';
import type { ApprovalStatus } from './approval-request.ts';
import { icon, type IconName } from './icon.ts';

const LOOKS: Readonly<Record<ApprovalStatus, { readonly icon: IconName; readonly text: string }>> = {
  open: { icon: 'clock', text: 'Open' },
  approved: { icon: 'check', text: 'Approved' },
  rejected: { icon: 'cross', text: 'Rejected' },
};

/** A request's status in words, with an icon and a colour to find it by. */
export function statusPill(status: ApprovalStatus, testId?: string): TemplateResult {
  const look = LOOKS[status];
  return html`<span class="pill" data-status=${status} data-testid=${testId ?? 'row-status'}
    >${icon(look.icon)}${look.text}</span
  >`;
}
