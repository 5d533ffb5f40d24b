import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DemoUser } from './demo-users.ts';
import type { DeskAction, DeskModel, OpenRequest } from './desk-model.ts';
import { icon } from './icon.ts';
import { formatMoment } from './page-locale.ts';
import { typedFields, type DraftField } from './request-draft.ts';

const LABELS: Readonly<Record<DeskAction, readonly [idle: string, busy: string]>> = {
  save: ['Save', 'Saving…'],
  approve: ['Approve', 'Approving…'],
  reject: ['Reject', 'Rejecting…'],
};

export interface RequestFormOptions {
  readonly model: DeskModel;
  readonly open: OpenRequest;
  /** Whose form it is: keeps ids and names apart where several share the page. */
  readonly owner: DemoUser;
  readonly write: (action: DeskAction) => void;
}

/** The form of one request. Decided ones show the decision, and nothing to decide with. */
export function requestForm({ model, open, owner, write }: RequestFormOptions): TemplateResult {
  const { base, draft } = open;
  const decided = base.status !== 'open';
  const typed = typedFields(draft, base);

  const field = (name: DraftField) => ({
    id: `${owner.key}-${name}`,
    value: live(draft[name]),
    invalid: model.invalidField === name ? 'true' : nothing,
    input: ({ target }: InputEvent) =>
      model.type(name, (target as HTMLInputElement | HTMLTextAreaElement).value),
  });
  const customer = field('customer');
  const amount = field('amount');
  const note = field('note');

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write('save');
  };
  const decide = (action: 'approve' | 'reject') => (event: Event) => {
    const { form } = event.currentTarget as HTMLButtonElement;
    if (form?.reportValidity() !== false) write(action);
  };
  const button = (action: DeskAction) => LABELS[action][model.busy === action ? 1 : 0];
  const busy = model.busy === null ? nothing : 'true';

  return html`<form
    class="form"
    data-testid="form"
    aria-label="Request ${base.id}, ${owner.principal.name}"
    @submit=${submit}
  >
    <div class="form-fields">
      <div class="field">
        <label for=${customer.id}>Customer</label>
        <input
          id=${customer.id}
          name="customer"
          data-testid="field-customer"
          dir="auto"
          required
          maxlength="120"
          autocomplete="off"
          aria-invalid=${customer.invalid}
          ?readonly=${decided}
          .value=${customer.value}
          @input=${customer.input}
        />
      </div>
      <div class="field field-short">
        <label for=${amount.id}>Amount in ${base.currency}</label>
        <input
          id=${amount.id}
          name="amount"
          data-testid="field-amount"
          type="number"
          min="0"
          max="10000000"
          step="0.01"
          required
          autocomplete="off"
          aria-invalid=${amount.invalid}
          ?readonly=${decided}
          .value=${amount.value}
          @input=${amount.input}
        />
      </div>
      <div class="field field-wide">
        <label for=${note.id}>Note</label>
        <textarea
          id=${note.id}
          name="note"
          data-testid="field-note"
          rows="2"
          maxlength="1000"
          dir="auto"
          aria-invalid=${note.invalid}
          ?readonly=${decided}
          .value=${note.value}
          @input=${note.input}
        ></textarea>
      </div>
    </div>
    ${
      decided
        ? decision(open)
        : html`<div class="form-actions">
            <button type="submit" class="button" data-testid="save" aria-disabled=${busy}>
              ${button('save')}
            </button>
            ${typed.length > 0 ? discard(model) : nothing}
            <span class="form-actions-gap"></span>
            <button
              type="button"
              class="button button-reject"
              data-testid="reject"
              aria-disabled=${busy}
              @click=${decide('reject')}
            >
              ${icon('cross')}${button('reject')}
            </button>
            <button
              type="button"
              class="button button-approve"
              data-testid="approve"
              aria-disabled=${busy}
              @click=${decide('approve')}
            >
              ${icon('check')}${button('approve')}
            </button>
          </div>`
    }
    ${
      decided && typed.length > 0
        ? html`<div class="form-actions">
            <p class="form-hint">What you typed was not saved. Copy what you need.</p>
            ${discard(model)}
          </div>`
        : nothing
    }
  </form>`;
}

function decision({ base }: OpenRequest): TemplateResult {
  const verb = base.status === 'approved' ? 'Approved' : 'Rejected';
  const at = base.decidedAtUtc;
  return html`<p class="decision" data-status=${base.status} data-testid="decision" tabindex="-1">
    ${icon(base.status === 'approved' ? 'check' : 'cross')}
    <span>
      ${verb} by <bdi>${base.decidedBy ?? 'somebody'}</bdi>${
        at === null ? nothing : html`, <time datetime=${at}>${formatMoment(at)}</time>`
      }
    </span>
  </p>`;
}

function discard(model: DeskModel): TemplateResult {
  return html`<button type="button" class="button button-quiet" @click=${() => model.discard()}>
    Discard my changes
  </button>`;
}
