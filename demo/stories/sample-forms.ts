import type { BusinessForm } from './business-form.ts';

/** A transport that waits for a decision. */
export const APPROVAL: BusinessForm = {
  entityType: 'ApprovalRequest',
  entityUid: 'REQ-2041',
  title: 'Approval request REQ-2041',
  fields: [
    { name: 'customer', label: 'Customer', value: 'Müller & Söhne GmbH' },
    { name: 'amount', label: 'Amount in EUR', value: '1840', kind: 'number' },
    { name: 'route', label: 'Route', value: 'Hamburg to Łódź, 24 t steel coils', wide: true },
    { name: 'note', label: 'Note', value: 'Second driver needed, loading slot is 04:30.', kind: 'area' },
  ],
  buttons: ['Approve', 'Reject'],
};

/** A purchase order. */
export const ORDER: BusinessForm = {
  entityType: 'Order',
  entityUid: '4711',
  title: 'Order 4711',
  fields: [
    { name: 'supplier', label: 'Supplier', value: 'Großhandel Österreich AG' },
    { name: 'delivery', label: 'Delivery date', value: '2026-12-14', kind: 'date' },
    { name: 'quantity', label: 'Pallets', value: '12', kind: 'number' },
    {
      name: 'terms',
      label: 'Payment terms',
      value: '30 days net',
      kind: 'choice',
      options: ['14 days, 2 % discount', '30 days net', '60 days net'],
    },
    { name: 'remark', label: 'Remark', value: 'Ramp 3, ring twice.', kind: 'area' },
  ],
  buttons: ['Save order'],
};

/** A customer's master data. */
export const CUSTOMER: BusinessForm = {
  entityType: 'Customer',
  entityUid: 'C-1188',
  title: 'Customer C-1188',
  fields: [
    { name: 'name', label: 'Company', value: 'Transportes Núñez S.L.' },
    { name: 'contact', label: 'Contact', value: 'Lucía Herrera' },
    { name: 'email', label: 'E-mail', value: 'lucia.herrera@nunez.example', kind: 'email' },
    { name: 'credit', label: 'Credit limit in EUR', value: '25000', kind: 'number' },
  ],
  buttons: ['Save customer'],
};
