import type { BusinessForm } from './business-form.ts';

interface Words {
  readonly title: string;
  readonly labels: readonly [supplier: string, date: string, pallets: string, remark: string];
  readonly remark: string;
  readonly save: string;
}

const ENGLISH: Words = {
  title: 'Order 4711',
  labels: ['Supplier', 'Delivery date', 'Pallets', 'Remark'],
  remark: 'Ramp 3, ring twice.',
  save: 'Save order',
};
const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: {
    title: 'Bestellung 4711',
    labels: ['Lieferant', 'Liefertermin', 'Paletten', 'Bemerkung'],
    remark: 'Rampe 3, zweimal klingeln.',
    save: 'Bestellung speichern',
  },
  fr: {
    title: 'Commande 4711',
    labels: ['Fournisseur', 'Date de livraison', 'Palettes', 'Remarque'],
    remark: 'Quai 3, sonner deux fois.',
    save: 'Enregistrer la commande',
  },
  es: {
    title: 'Pedido 4711',
    labels: ['Proveedor', 'Fecha de entrega', 'Palés', 'Observación'],
    remark: 'Muelle 3, llamar dos veces.',
    save: 'Guardar el pedido',
  },
  ar: {
    title: 'الطلب 4711',
    labels: ['المورّد', 'تاريخ التسليم', 'المنصات', 'ملاحظة'],
    remark: 'الرصيف 3، يرجى الرنّ مرتين.',
    save: 'حفظ الطلب',
  },
};

/** The order form in one of the languages of these stories; English for any other. */
export function orderIn(language: string): BusinessForm {
  const { title, labels, remark, save } = WORDS[language] ?? ENGLISH;
  const [supplier, date, pallets, note] = labels;
  return {
    entityType: 'Order',
    entityUid: '4711',
    title,
    fields: [
      { name: 'supplier', label: supplier, value: 'Großhandel Österreich AG' },
      { name: 'delivery', label: date, value: '2026-12-14', kind: 'date' },
      { name: 'quantity', label: pallets, value: '12', kind: 'number' },
      { name: 'remark', label: note, value: remark, kind: 'area' },
    ],
    buttons: [save],
  };
}
