/** The demonstration's buyers and invoices: a few in every state that exists. Amounts in whole units of the currency. */

export const demonstrationClients = [
  { name: 'Nakasero Traders Ltd', sector: 'Wholesale and retail trade', district: 'Kampala' },
  { name: 'Jinja Agro Supplies Ltd', sector: 'Agriculture and agro-processing', district: 'Jinja City' },
] as const;

export const demonstrationBuyers = [
  { name: 'Lakeside Supermarkets Ltd', sector: 'Wholesale and retail trade', district: 'Wakiso' },
  { name: 'Pearl Hotels Group', sector: 'Hotels, restaurants and catering', district: 'Kampala' },
  { name: 'Rwenzori Beverages Ltd', sector: 'Manufacturing', district: 'Mukono' },
  { name: 'Equator Construction Ltd', sector: 'Construction and engineering works', district: 'Kampala' },
  { name: 'Mbale Regional Hospital', sector: 'Health and social care', district: 'Mbale City' },
] as const;

export type DemonstrationClient = (typeof demonstrationClients)[number]['name'];

export interface DemonstrationInvoice {
  readonly client: DemonstrationClient;
  readonly number: string;
  readonly buyer: (typeof demonstrationBuyers)[number]['name'];
  readonly currency: 'UGX' | 'USD';
  readonly amount: number;
  /** Days before today. */
  readonly age: number;
  /** Absent where the client has not applied yet. */
  readonly application?: { readonly advance: number; readonly tenorDays: number };
  readonly documents: 'none' | 'some' | 'mandatory';
  readonly submitted: boolean;
}

const nakasero = 'Nakasero Traders Ltd';
const jinja = 'Jinja Agro Supplies Ltd';

export const demonstrationInvoices: readonly DemonstrationInvoice[] = [
  invoice(nakasero, 'NT-2026-031', 'Lakeside Supermarkets Ltd', 4_500_000, 62, 4_000_000, 30, 'submitted'),
  invoice(nakasero, 'NT-2026-032', 'Pearl Hotels Group', 1_280_000, 51, 1_100_000, 15, 'submitted'),
  invoice(nakasero, 'NT-2026-033', 'Rwenzori Beverages Ltd', 7_950_000, 44, 7_155_000, 30, 'submitted'),
  invoice(nakasero, 'NT-2026-034', 'Lakeside Supermarkets Ltd', 2_340_000, 37, 2_000_000, 7, 'submitted'),
  invoice(nakasero, 'NT-2026-035', 'Equator Construction Ltd', 12_600_000, 30, 9_000_000, 30, 'submitted'),
  invoice(nakasero, 'NT-2026-036', 'Pearl Hotels Group', 960_000, 23, 864_000, 15, 'submitted'),
  invoice(nakasero, 'NT-2026-037', 'Mbale Regional Hospital', 3_150_000, 16, 2_800_000, 30, 'submitted'),
  invoice(nakasero, 'NT-2026-038', 'Lakeside Supermarkets Ltd', 5_275_500, 6, 4_700_000, 15, 'submitted'),
  invoice(nakasero, 'NT-2026-039', 'Rwenzori Beverages Ltd', 1_000_000, 3, 900_000, 30, 'ready'),
  invoice(nakasero, 'NT-2026-040', 'Pearl Hotels Group', 2_100_000, 2, 1_500_000, 15, 'started'),
  { ...invoice(nakasero, 'NT-2026-041', 'Equator Construction Ltd', 850, 1, 700, 30, 'started'), currency: 'USD' },
  invoice(nakasero, 'NT-2026-042', 'Lakeside Supermarkets Ltd', 3_600_000, 0),
  invoice(jinja, 'JAS 118', 'Rwenzori Beverages Ltd', 9_400_000, 40, 8_000_000, 30, 'submitted'),
  invoice(jinja, 'JAS 119', 'Lakeside Supermarkets Ltd', 2_250_000, 12, 2_025_000, 7, 'submitted'),
  invoice(jinja, 'JAS 120', 'Mbale Regional Hospital', 6_800_000, 4, 5_000_000, 15, 'ready'),
  invoice(jinja, 'JAS 121', 'Pearl Hotels Group', 1_425_000, 1),
];

function invoice(
  client: DemonstrationClient,
  number: string,
  buyer: DemonstrationInvoice['buyer'],
  amount: number,
  age: number,
  advance?: number,
  tenorDays = 30,
  progress: 'started' | 'ready' | 'submitted' = 'started',
): DemonstrationInvoice {
  return {
    client,
    number,
    buyer,
    currency: 'UGX',
    amount,
    age,
    ...(advance === undefined ? {} : { application: { advance, tenorDays } }),
    documents: documentsAt(advance === undefined ? 'new' : progress),
    submitted: progress === 'submitted',
  };
}

function documentsAt(progress: 'new' | 'started' | 'ready' | 'submitted'): DemonstrationInvoice['documents'] {
  if (progress === 'new') return 'none';
  return progress === 'started' ? 'some' : 'mandatory';
}
