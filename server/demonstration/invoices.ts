import type { DeclineReason } from '#contract/applications/decline-reasons.ts';
import type { Status } from '#contract/applications/lifecycle.ts';

/** The demonstration's buyers and invoices: a few in every status. Amounts in whole units of the currency. */

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

/** An invoice's history after its submission. */
export interface History {
  readonly status: Exclude<Status, 'Draft'>;
  /** Working hours since its submission; absent means on the invoice's date. */
  readonly hoursAgo?: number;
  /** Approved by two officers, or by the first of them. */
  readonly twoOfficers?: true;
  readonly declined?: { readonly reason: DeclineReason; readonly note: string };
  readonly asked?: { readonly question: string; readonly document: string };
  /** The buyer's payments, by days after the disbursement. */
  readonly receipts?: readonly { readonly amount: number; readonly days: number }[];
}

export interface DemonstrationInvoice {
  readonly client: DemonstrationClient;
  readonly number: string;
  readonly buyer: (typeof demonstrationBuyers)[number]['name'];
  readonly currency: 'UGX' | 'USD';
  readonly amount: number;
  /** Days before today. */
  readonly age: number;
  /** Absent if the client has not applied. */
  readonly application?: { readonly advance: number; readonly tenorDays: number };
  readonly documents: 'none' | 'some' | 'mandatory';
  /** Absent for a draft. */
  readonly history?: History;
}

const nakasero = 'Nakasero Traders Ltd';
const jinja = 'Jinja Agro Supplies Ltd';
const lakeside = 'Lakeside Supermarkets Ltd';
const pearl = 'Pearl Hotels Group';
const rwenzori = 'Rwenzori Beverages Ltd';
const equator = 'Equator Construction Ltd';
const mbale = 'Mbale Regional Hospital';

const unsigned = { reason: 'documents', note: 'The delivery note is not signed by the buyer.' } as const;
const unknownInvoice = {
  reason: 'invoice',
  note: 'The buyer does not know this invoice. Ask them to confirm it, then apply again.',
} as const;

/** In order of entry. */
export const demonstrationInvoices: readonly DemonstrationInvoice[] = [
  settled(invoice(nakasero, 'NT-2026-028', mbale, 6_000_000, 86, 5_400_000, 30), 28, 5_400_000),
  settled(invoice(jinja, 'JAS 112', pearl, 3_300_000, 74, 2_900_000, 15), 14, 3_300_000),
  settled(invoice(nakasero, 'NT-2026-031', lakeside, 4_500_000, 62, 4_000_000, 30), 27, 4_000_000),
  settled(invoice(nakasero, 'NT-2026-032', pearl, 1_280_000, 51, 1_100_000, 15), 20, 1_280_000),
  disbursed(invoice(nakasero, 'NT-2026-033', rwenzori, 7_950_000, 44, 7_155_000, 30), { amount: 3_000_000, days: 30 }),
  settled(invoice(jinja, 'JAS 118', rwenzori, 9_400_000, 40, 8_000_000, 30), 29, 8_000_000),
  {
    ...invoice(nakasero, 'NT-2026-034', lakeside, 2_340_000, 37, 2_000_000, 7),
    history: { status: 'Declined', declined: unsigned },
  },
  disbursed(invoice(nakasero, 'NT-2026-035', equator, 12_600_000, 30, 9_000_000, 30)),
  { ...invoice(nakasero, 'NT-2026-036', pearl, 960_000, 23, 864_000, 15), history: { status: 'Withdrawn' } },
  {
    ...invoice(jinja, 'JAS 115', equator, 4_750_000, 19, 4_200_000, 30),
    history: { status: 'Declined', declined: unknownInvoice },
  },
  disbursed(invoice(nakasero, 'NT-2026-037', mbale, 3_150_000, 16, 2_800_000, 30)),
  { ...invoice(jinja, 'JAS 116', lakeside, 1_900_000, 14, 1_700_000, 7), history: { status: 'Withdrawn' } },
  disbursed(invoice(jinja, 'JAS 119', lakeside, 2_250_000, 12, 2_025_000, 7)),
  { ...invoice(nakasero, 'NT-2026-030', lakeside, 2_900_000, 6, 2_600_000, 15), history: { status: 'Approved' } },
  {
    ...invoice(jinja, 'JAS 117', equator, 27_500_000, 5, 24_000_000, 30),
    history: { status: 'Approved', twoOfficers: true },
  },
  waiting(invoice(jinja, 'JAS 125', mbale, 1_250_000, 0, 1_100_000, 7), { status: 'Submitted', hoursAgo: 5 }),
  waiting(invoice(nakasero, 'NT-2026-043', rwenzori, 3_600_000, 0, 3_200_000, 30), {
    status: 'Info Requested',
    hoursAgo: 4,
    asked: { question: 'Please send the statement of the account that the buyer pays to.', document: 'Bank statement' },
  }),
  waiting(invoice(jinja, 'JAS 122', rwenzori, 4_100_000, 0, 3_600_000, 15), {
    status: 'Info Requested',
    hoursAgo: 3.5,
    asked: {
      question: 'The stamp on the delivery note cannot be read. Please send it again.',
      document: 'Proof of delivery or completed work',
    },
  }),
  waiting(invoice(jinja, 'JAS 123', equator, 28_000_000, 0, 22_500_000, 30), {
    status: 'In Review',
    hoursAgo: 3,
    twoOfficers: true,
  }),
  waiting(invoice(nakasero, 'NT-2026-044', pearl, 2_050_000, 0, 1_800_000, 15), { status: 'In Review', hoursAgo: 2 }),
  waiting(invoice(nakasero, 'NT-2026-038', lakeside, 5_275_500, 0, 4_700_000, 15), {
    status: 'Submitted',
    hoursAgo: 1.5,
  }),
  // Same buyer and amount as the one before, so it is flagged.
  waiting(invoice(jinja, 'JAS 124', lakeside, 5_275_500, 0, 4_500_000, 30), { status: 'Submitted', hoursAgo: 1 }),
  waiting(invoice(nakasero, 'NT-2026-046', mbale, 1_000_000, 0, 900_000, 30), { status: 'Submitted', hoursAgo: 0.5 }),
  invoice(nakasero, 'NT-2026-039', rwenzori, 1_000_000, 3, 900_000, 30),
  { ...invoice(nakasero, 'NT-2026-040', pearl, 2_100_000, 2, 1_500_000, 15), documents: 'some' },
  { ...invoice(nakasero, 'NT-2026-041', equator, 850, 1, 700, 30), currency: 'USD', documents: 'some' },
  invoice(nakasero, 'NT-2026-042', lakeside, 3_600_000, 0),
  invoice(jinja, 'JAS 120', mbale, 6_800_000, 4, 5_000_000, 15),
  invoice(jinja, 'JAS 121', pearl, 1_425_000, 1),
];

function invoice(
  client: DemonstrationClient,
  number: string,
  buyer: DemonstrationInvoice['buyer'],
  amount: number,
  age: number,
  advance?: number,
  tenorDays = 30,
): DemonstrationInvoice {
  return {
    client,
    number,
    buyer,
    currency: 'UGX',
    amount,
    age,
    ...(advance === undefined ? {} : { application: { advance, tenorDays } }),
    documents: advance === undefined ? 'none' : 'mandatory',
  };
}

function waiting(submitted: DemonstrationInvoice, history: History): DemonstrationInvoice {
  return { ...submitted, history };
}

function disbursed(paidOut: DemonstrationInvoice, receipt?: { amount: number; days: number }): DemonstrationInvoice {
  return { ...paidOut, history: { status: 'Disbursed', receipts: receipt === undefined ? [] : [receipt] } };
}

function settled(paidBack: DemonstrationInvoice, days: number, amount: number): DemonstrationInvoice {
  return { ...paidBack, history: { status: 'Settled', receipts: [{ amount, days }] } };
}
