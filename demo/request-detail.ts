import { html, nothing, type TemplateResult } from 'lit';
import type { DemoUser } from './demo-users.ts';
import type { DeskAction, DeskModel } from './desk-model.ts';
import { icon } from './icon.ts';
import { formatDay } from './page-locale.ts';
import { requestForm } from './request-form.ts';
import { statusPill } from './status-pill.ts';

export interface RequestDetailOptions {
  readonly model: DeskModel;
  readonly owner: DemoUser;
  /** The request whose lock is wanted; `""` = none is. */
  readonly lockedUid: string;
  readonly acquired: (event: HTMLElementEventMap['lock-acquired']) => void;
  readonly reload: (event: HTMLElementEventMap['lock-reload']) => void;
  readonly write: (action: DeskAction) => void;
}

/** The open request: what it is, what there is to know, and its form in a guard. */
export function requestDetail(options: RequestDetailOptions): TemplateResult {
  const { model, owner, lockedUid, acquired, reload, write } = options;
  const { selectedId, open } = model;
  if (selectedId === null) {
    return html`<div class="detail-empty">
      ${icon('inbox')}
      <p>Select a request to open it.</p>
    </div>`;
  }
  return html`<header class="detail-head">
      <h3 class="detail-title">${selectedId}</h3>
      ${open === null ? nothing : statusPill(open.base.status, 'status')}
      ${
        open === null
          ? nothing
          : html`<p class="detail-subject">
              ${open.base.subject}
              <span class="detail-by">
                Requested by <bdi>${open.base.requestedBy}</bdi> on
                <time datetime=${open.base.requestedOn}>${formatDay(open.base.requestedOn)}</time>
              </span>
            </p>`
      }
    </header>
    ${message('alert', 'message', model.alert)} ${message('status', 'notice', model.notice)}
    <lock-guard
      entity-type="ApprovalRequest"
      entity-uid=${lockedUid}
      @lock-acquired=${acquired}
      @lock-reload=${reload}
    >
      ${
        open === null
          ? html`<p class="detail-loading">${model.alert === '' ? 'Loading…' : nothing}</p>`
          : requestForm({
              model,
              open,
              owner,
              write,
            })
      }
    </lock-guard>`;
}

/** A live region that is always there, so that its first text is announced too. */
function message(role: 'alert' | 'status', testId: string, text: string): TemplateResult {
  return html`<div role=${role} class="message" data-testid=${testId}>
    ${text === '' ? nothing : html`${icon(role === 'alert' ? 'alert' : 'info')}<span>${text}</span>`}
  </div>`;
}
