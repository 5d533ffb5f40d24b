import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { OrderRow } from './sample-rows.ts';

export interface OrderTableLook {
  /** More classes of the table. */
  readonly look?: string;
  /** A box in front of each row, ticked at first or not. */
  readonly selectable?: boolean;
}

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** A plain table of orders, its last column saying who is editing. */
export function orderTable(
  rows: readonly OrderRow[],
  { look = '', selectable = false }: OrderTableLook = {},
): TemplateResult {
  return html`<div class="story-scroll" role="region" aria-label="Orders" tabindex="0">
    <table class="story-table ${look}">
      <thead>
        <tr>
          ${selectable ? html`<th scope="col"><span class="visually-hidden">Selected</span></th>` : nothing}
          <th scope="col">Order</th>
          <th scope="col">Customer</th>
          <th scope="col" class="story-number">Amount</th>
          <th scope="col">Locked by</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          rows,
          ({ ref }) => ref.entityUid,
          ({ ref, number, customer, amount }) =>
            html`<tr>
              ${
                selectable
                  ? html`<td>
                      <input type="checkbox" value=${ref.entityUid} checked aria-label="Order ${number}" />
                    </td>`
                  : nothing
              }
              <td>${number}</td>
              <td>${customer}</td>
              <td class="story-number">${money.format(amount)}</td>
              <td>
                <locked-by-cell entity-type=${ref.entityType} entity-uid=${ref.entityUid}></locked-by-cell>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The beginning of such a table, as an application writes it. */
export const ORDER_TABLE_HTML = `<table>
  <tr><th>Order</th><th>Customer</th><th>Amount</th><th>Locked by</th></tr>
  <tr>
    <td>4701</td><td>Müller &amp; Söhne GmbH</td><td>€180.00</td>
    <td><locked-by-cell entity-type="Order" entity-uid="4701"></locked-by-cell></td>
  </tr>
  <tr>
    <td>4702</td><td>Großhandel Österreich AG</td><td>€4,099.00</td>
    <td><locked-by-cell entity-type="Order" entity-uid="4702"></locked-by-cell></td>
  </tr>
</table>`;
