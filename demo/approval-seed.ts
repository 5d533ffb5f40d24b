import type { ApprovalRequest, ApprovalStatus } from './approval-request.ts';

type Row = readonly [
  id: string,
  daysAgo: number,
  customer: string,
  subject: string,
  amount: number,
  currency: string,
  requestedBy: string,
  note: string,
  status?: ApprovalStatus,
];

const ROWS: readonly Row[] = [
  [
    'REQ-2041',
    0,
    'Müller & Söhne GmbH',
    'Hamburg → Łódź, 24 t steel coils',
    1840,
    'EUR',
    'Jörg Weiß',
    'Second driver needed, loading slot is 04:30.',
  ],
  [
    'REQ-2042',
    0,
    'Großhandel Österreich AG',
    'Wien → Salzburg, express pallet',
    412.5,
    'EUR',
    'Małgorzata Nowak',
    'Customer pays the express surcharge.',
  ],
  [
    'REQ-2043',
    1,
    'Transportes Núñez S.L.',
    'Valencia → Köln, chilled citrus',
    3275,
    'EUR',
    'Çiğdem Yılmaz',
    'Reefer at 4 °C, log the temperature on arrival.',
  ],
  [
    'REQ-2044',
    1,
    'Żabka Logistyka Sp. z o.o.',
    'Gdańsk → Berlin, part load',
    5120,
    'PLN',
    'Małgorzata Nowak',
    'Toll on the A2 included.',
  ],
  [
    'REQ-2045',
    2,
    'شركة النور للنقل',
    'Rotterdam → Jeddah, 2 × 40 ft container',
    8960,
    'EUR',
    'Søren Lindqvist',
    'Demurrage for three days at ECT Delta.',
  ],
  [
    'REQ-2046',
    2,
    'Käserei Gruyère SA',
    'Bulle → Straßburg, refrigerated',
    2310,
    'CHF',
    'Jörg Weiß',
    'Customs papers follow by mail.',
  ],
  ['REQ-2047', 3, 'Bäckerei Überländer KG', 'Nürnberg → München, waiting time', 185.9, 'EUR', 'נועה לוי', ''],
  [
    'REQ-2048',
    3,
    'Ångström Industri AB',
    'Göteborg → Kiel, ferry surcharge',
    14750,
    'SEK',
    'Søren Lindqvist',
    'High season rate until Sunday.',
  ],
  [
    'REQ-2049',
    4,
    'Frigo Provençal SARL',
    'Marseille → Genève, groupage',
    1096.4,
    'EUR',
    'Çiğdem Yılmaz',
    'Tail lift at the consignee.',
  ],
  [
    'REQ-2050',
    5,
    'Dvořák & syn s.r.o.',
    'Brno → Dresden, machine parts',
    38200,
    'CZK',
    'Małgorzata Nowak',
    'Escort vehicle, width 3.10 m.',
  ],
  [
    'REQ-2051',
    7,
    'Nordsee Fischkontor eG',
    'Bremerhaven → Zürich, fresh fish',
    2640,
    'EUR',
    'Jörg Weiß',
    'Weekly run, as agreed.',
    'approved',
  ],
  [
    'REQ-2052',
    8,
    'Kraftfutter Lüneburg eG',
    'Lüneburg → Groningen, bulk feed',
    990,
    'EUR',
    'Søren Lindqvist',
    'Second offer is 120 € cheaper.',
    'rejected',
  ],
];

const DAY_MS = 86_400_000;

/** The rows every tenant starts with, dated back from `nowMs` so that the desk never looks abandoned. */
export function approvalSeed(nowMs: number): readonly ApprovalRequest[] {
  return ROWS.map(
    ([id, daysAgo, customer, subject, amount, currency, requestedBy, note, status = 'open']) => {
      const decided = status !== 'open';
      return {
        id,
        customer,
        subject,
        amount,
        currency,
        requestedBy,
        requestedOn: new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10),
        note,
        status,
        decidedBy: decided ? 'Petra Hoffmann' : null,
        decidedAtUtc: decided ? new Date(nowMs - (daysAgo - 1) * DAY_MS).toISOString() : null,
        version: decided ? 2 : 1,
      };
    },
  );
}
