import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ApprovalRequest } from './approval-request.ts';
import type { DeskModel } from './desk-model.ts';
import { icon } from './icon.ts';
import { formatMoney } from './page-locale.ts';
import { statusPill } from './status-pill.ts';

/** "My approvals" as a table. A click anywhere in a row opens it; its id is the button for the keyboard. */
export function requestGrid(model: DeskModel, owner: string): TemplateResult {
  return html`<div class="grid-scroll">
    <table class="grid">
      <caption class="visually-hidden">
        Approval requests of ${owner}
      </caption>
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">Customer</th>
          <th scope="col" class="grid-amount">Amount</th>
          <th scope="col">Status</th>
          <th scope="col" class="grid-locked">Locked by</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          model.rows,
          ({ id }) => id,
          (request) => row(model, request),
        )}
        ${model.rows.length === 0 ? placeholder(model) : nothing}
      </tbody>
    </table>
  </div>`;
}

function row(model: DeskModel, request: ApprovalRequest): TemplateResult {
  const { id, customer, subject, amount, currency, status } = request;
  return html`<tr
    data-testid="row-${id}"
    aria-current=${id === model.selectedId ? 'true' : nothing}
    @click=${() => model.select(id)}
  >
    <td><button type="button" class="grid-open">${id}</button></td>
    <td class="grid-customer">
      <bdi class="grid-name">${customer}</bdi>
      <span class="grid-subject"
        ><span class="grid-inline-amount">${formatMoney(amount, currency)} · </span>${subject}</span
      >
    </td>
    <td class="grid-amount">${formatMoney(amount, currency)}</td>
    <td>${statusPill(status)}</td>
    <td class="grid-locked">
      <locked-by-cell entity-type="ApprovalRequest" entity-uid=${id}></locked-by-cell>
    </td>
  </tr>`;
}

function placeholder(model: DeskModel): TemplateResult {
  const text = {
    loading: 'Loading requests…',
    ready: 'Nothing waits for your approval.',
    failed: 'The requests could not be loaded.',
  }[model.listState];
  return html`<tr class="grid-placeholder">
    <td colspan="5">
      ${icon('inbox')}
      <p>${text}</p>
      ${
        model.listState === 'failed'
          ? html`<button type="button" class="button" @click=${() => void model.refresh()}>Try again</button>`
          : nothing
      }
    </td>
  </tr>`;
}
