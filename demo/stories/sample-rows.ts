import type { EntityRef } from '../../core/index.ts';
import type { StoryStage } from '../catalogue/story.ts';

/** One order of a list. `ref` is the visit's own record. */
export interface OrderRow {
  readonly ref: EntityRef;
  readonly number: string;
  readonly customer: string;
  readonly goods: string;
  readonly amount: number;
}

const CUSTOMERS = [
  'Müller & Söhne GmbH',
  'Großhandel Österreich AG',
  'Transportes Núñez S.L.',
  'Łódzkie Zakłady Tekstylne',
  'Bakker Logistiek B.V.',
  'Fjord Seafood AS',
  'Café Hölzl KG',
];
const GOODS = ['24 t steel coils', 'Express pallet', 'Chilled citrus', 'Yarn, 18 pallets', 'Tulip bulbs'];
const FIRST_NUMBER = 4_701;

/** The first `count` orders. The n-th (from 1) is `stage.ref(n)`. */
export function orderRows(stage: StoryStage, count: number): readonly OrderRow[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: stage.ref(index + 1),
    number: String(FIRST_NUMBER + index),
    customer: CUSTOMERS[index % CUSTOMERS.length] ?? '',
    goods: GOODS[(index * 3) % GOODS.length] ?? '',
    amount: 180 + ((index * 7_919) % 4_000),
  }));
}

/** Holds these orders as Ben, all at once. */
export async function benHolds(stage: StoryStage, numbers: readonly number[]): Promise<void> {
  await Promise.all(numbers.map((number) => stage.hold('ben', stage.ref(number))));
}

/** Lets them go again. */
export async function benLetsGoOf(stage: StoryStage, numbers: readonly number[]): Promise<void> {
  await Promise.all(numbers.map((number) => stage.letGo('ben', stage.ref(number))));
}
