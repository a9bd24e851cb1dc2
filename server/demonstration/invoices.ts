import type { DeclineReason } from '#contract/applications/decline-reasons.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { CollectionBody } from '#contract/collections/schema.ts';
import { addDays } from '#contract/time/calendar.ts';

/** The demonstration's buyers and invoices: a few in every status. Amounts in whole units of the currency. */

/** The client who is late; the others may submit. */
export const LATE_CLIENT = 'Masaka Coffee Traders Ltd';

export const demonstrationClients = [
  { name: 'Nakasero Traders Ltd', sector: 'Wholesale and retail trade', district: 'Kampala' },
  { name: 'Jinja Agro Supplies Ltd', sector: 'Agriculture and agro-processing', district: 'Jinja City' },
  { name: LATE_CLIENT, sector: 'Wholesale and retail trade', district: 'Masaka City' },
] as const;

/** For some of them we know how they pay: after how many days, and which taxes they withhold. */
export const demonstrationBuyers = [
  { name: 'Lakeside Supermarkets Ltd', sector: 'Wholesale and retail trade', district: 'Wakiso', days: 10 },
  { name: 'Pearl Hotels Group', sector: 'Hotels, restaurants and catering', district: 'Kampala' },
  { name: 'Rwenzori Beverages Ltd', sector: 'Manufacturing', district: 'Mukono', days: 30 },
  {
    name: 'Equator Construction Ltd',
    sector: 'Construction and engineering works',
    district: 'Kampala',
    days: 14,
    withholds: ['tax'],
  },
  {
    name: 'Mbale Regional Hospital',
    sector: 'Health and social care',
    district: 'Mbale City',
    withholds: ['tax', 'vat'],
  },
] as const satisfies readonly DemonstrationBuyer[];

export interface DemonstrationBuyer {
  readonly name: string;
  readonly sector: string;
  readonly district: string;
  readonly days?: number;
  readonly withholds?: readonly ('tax' | 'vat')[];
}

/** After how many days a buyer usually pays; undefined if unknown. */
export function usualDays(buyer: string): number | undefined {
  const found: DemonstrationBuyer | undefined = demonstrationBuyers.find(({ name }) => name === buyer);
  return found?.days;
}

export type DemonstrationClient = (typeof demonstrationClients)[number]['name'];

/** An invoice's history after its submission. */
export interface History {
  readonly status: Exclude<Status, 'Draft'>;
  /** Working hours since its submission. If absent, it was submitted on the invoice's date. */
  readonly hoursAgo?: number;
  /** Whether two officers approved it, or the first of two. */
  readonly twoOfficers?: true;
  readonly declined?: { readonly reason: DeclineReason; readonly note: string };
  readonly asked?: { readonly question: string; readonly document: string };
  /** Whether its payout is prepared and waits for the other officer. */
  readonly isPrepared?: true;
  /** The officer's terms, if there is a counter-offer. */
  readonly offered?: { readonly advance: number; readonly tenorDays: number; readonly reason: string };
  /** The buyer's payments, by days after the disbursement. */
  readonly receipts?: readonly { readonly amount: number; readonly days: number }[];
  /** More time that its client accepted, or that another officer must agree to. `days` are after the disbursement. */
  readonly extended?: {
    readonly tenorDays: number;
    readonly reason: string;
    readonly days: number;
    readonly isOffered?: true;
  };
  /** A write-off, confirmed or only proposed, `days` after the disbursement. */
  readonly writtenOff?: { readonly reason: string; readonly days: number; readonly isProposed?: true };
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
  // One in each ageing bucket.
  disbursed(invoice(LATE_CLIENT, 'MCT 001', rwenzori, 3_800_000, 140, 3_400_000, 30)),
  {
    ...invoice(LATE_CLIENT, 'MCT 098', equator, 2_400_000, 130, 2_100_000, 30),
    history: {
      status: 'Disbursed',
      writtenOff: { reason: 'The buyer was wound up. The liquidator pays a part at most.', days: 104 },
      receipts: [{ amount: 600_000, days: 116 }],
    },
  },
  {
    ...invoice(LATE_CLIENT, 'MCT 002', lakeside, 2_600_000, 105, 2_300_000, 30),
    history: {
      status: 'Disbursed',
      writtenOff: { reason: 'The shop is closed and nobody answers.', days: 100, isProposed: true },
    },
  },
  disbursed(invoice(LATE_CLIENT, 'MCT 003', pearl, 5_200_000, 75, 4_600_000, 30), { amount: 1_000_000, days: 40 }),
  disbursed(invoice(LATE_CLIENT, 'MCT 004', equator, 4_400_000, 50, 3_900_000, 30)),
  disbursed(invoice(LATE_CLIENT, 'MCT 005', mbale, 1_700_000, 37, 1_500_000, 30)),
  dollars(settled(invoice(jinja, 'JAS 110', equator, 5_200, 64, 4_500, 30), 26, 5_200)),
  settled(invoice(nakasero, 'NT-2026-028', mbale, 6_000_000, 86, 5_400_000, 30), 28, 5_400_000),
  settled(invoice(jinja, 'JAS 112', pearl, 3_300_000, 74, 2_900_000, 15), 14, 3_300_000),
  settled(invoice(nakasero, 'NT-2026-031', lakeside, 4_500_000, 62, 4_000_000, 30), 27, 4_000_000),
  settled(invoice(nakasero, 'NT-2026-032', pearl, 1_280_000, 51, 1_100_000, 15), 20, 1_280_000),
  settled(invoice(jinja, 'JAS 118', rwenzori, 9_400_000, 40, 8_000_000, 30), 29, 8_000_000),
  {
    ...invoice(nakasero, 'NT-2026-034', lakeside, 2_340_000, 37, 2_000_000, 7),
    history: { status: 'Declined', declined: unsigned },
  },
  { ...invoice(jinja, 'JAS 113', lakeside, 1_600_000, 36, 1_400_000, 15), history: { status: 'Lapsed' } },
  { ...invoice(nakasero, 'NT-2026-029', equator, 2_700_000, 34, 2_400_000, 30), history: { status: 'Cancelled' } },
  { ...invoice(nakasero, 'NT-2026-027', rwenzori, 1_150_000, 33, 1_000_000, 15), history: { status: 'Lapsed' } },
  { ...invoice(jinja, 'JAS 114', mbale, 1_020_000, 32, 900_000, 7), history: { status: 'Cancelled' } },
  // At most three days late, so that its client may submit.
  disbursed(invoice(nakasero, 'NT-2026-033', rwenzori, 7_950_000, 33, 7_155_000, 30), { amount: 3_000_000, days: 20 }),
  {
    ...invoice(nakasero, 'NT-2026-035', equator, 12_600_000, 30, 9_000_000, 30),
    history: {
      status: 'Disbursed',
      extended: { tenorDays: 15, reason: 'The site was closed for a week.', days: 25, isOffered: true },
    },
  },
  { ...invoice(nakasero, 'NT-2026-036', pearl, 960_000, 23, 864_000, 15), history: { status: 'Withdrawn' } },
  {
    ...invoice(jinja, 'JAS 115', equator, 4_750_000, 19, 4_200_000, 30),
    history: { status: 'Declined', declined: unknownInvoice },
  },
  disbursed(invoice(nakasero, 'NT-2026-037', mbale, 3_150_000, 16, 2_800_000, 30)),
  { ...invoice(jinja, 'JAS 116', lakeside, 1_900_000, 14, 1_700_000, 7), history: { status: 'Withdrawn' } },
  dollars(disbursed(invoice(jinja, 'JAS 111', pearl, 3_900, 12, 3_500, 30), { amount: 1_200, days: 9 })),
  {
    ...invoice(jinja, 'JAS 119', lakeside, 2_250_000, 10, 2_025_000, 7),
    history: {
      status: 'Disbursed',
      extended: { tenorDays: 7, reason: 'The supermarket pays at the end of its month.', days: 5 },
    },
  },
  { ...invoice(nakasero, 'NT-2026-030', lakeside, 2_900_000, 6, 2_600_000, 15), history: { status: 'Approved' } },
  {
    ...dollars(invoice(nakasero, 'NT-2026-047', pearl, 2_600, 5, 2_300, 15)),
    history: { status: 'Approved', isPrepared: true },
  },
  {
    ...invoice(jinja, 'JAS 117', equator, 27_500_000, 5, 24_000_000, 30),
    history: { status: 'Approved', twoOfficers: true, isPrepared: true },
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
  waiting(invoice(nakasero, 'NT-2026-045', pearl, 2_480_000, 0, 2_200_000, 30), {
    status: 'Counter-offered',
    hoursAgo: 3.25,
    offered: { advance: 1_900_000, tenorDays: 15, reason: 'The buyer pays you within two weeks.' },
  }),
  waiting(invoice(jinja, 'JAS 126', lakeside, 3_900_000, 0, 3_500_000, 15), {
    status: 'Counter-offered',
    hoursAgo: 2.5,
    offered: { advance: 3_000_000, tenorDays: 15, reason: 'The buyer keeps back 15% until the goods are checked.' },
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
  // Same buyer and amount as the previous one, so it is flagged.
  waiting(invoice(jinja, 'JAS 124', lakeside, 5_275_500, 0, 4_500_000, 30), { status: 'Submitted', hoursAgo: 1 }),
  waiting(invoice(nakasero, 'NT-2026-046', mbale, 1_000_000, 0, 900_000, 30), { status: 'Submitted', hoursAgo: 0.5 }),
  invoice(nakasero, 'NT-2026-039', rwenzori, 1_000_000, 3, 900_000, 30),
  { ...invoice(nakasero, 'NT-2026-040', pearl, 2_100_000, 2, 1_500_000, 15), documents: 'some' },
  { ...dollars(invoice(nakasero, 'NT-2026-041', equator, 850, 1, 700, 30)), documents: 'some' },
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

function dollars(entered: DemonstrationInvoice): DemonstrationInvoice {
  return { ...entered, currency: 'USD' };
}

function disbursed(paidOut: DemonstrationInvoice, receipt?: { amount: number; days: number }): DemonstrationInvoice {
  return { ...paidOut, history: { status: 'Disbursed', receipts: receipt === undefined ? [] : [receipt] } };
}

function settled(paidBack: DemonstrationInvoice, days: number, amount: number): DemonstrationInvoice {
  return { ...paidBack, history: { status: 'Settled', receipts: [{ amount, days }] } };
}

/** An invoice's number, an entry of its collection record, and how many days ago it was made (default today). */
export type DemonstrationEntry = readonly [number: string, entry: CollectionBody, daysAgo?: number];

/** The collection records of the late ones on a day, by invoice number, oldest first. */
export function demonstrationEntries(today: string): readonly DemonstrationEntry[] {
  return [
    // Kept promise: the buyer paid this amount two days later.
    ['MCT 003', { kind: 'promise', date: addDays(today, -33), amount: 100_000_000 }, 37],
    // Broken promise: no payment.
    ['MCT 002', { kind: 'promise', date: addDays(today, -5), amount: 50_000_000 }, 12],
    [
      'MCT 003',
      { kind: 'dispute', note: 'The buyer says that one delivery is missing. We asked for the delivery note.' },
    ],
    [
      'MCT 004',
      {
        kind: 'contact',
        channel: 'call',
        note: 'Ruth says that the buyer pays this week.',
        nextStep: 'Call the buyer',
        nextOn: addDays(today, 2),
      },
    ],
    ['MCT 004', { kind: 'promise', date: addDays(today, 4), amount: 100_000_000 }],
    ['MCT 005', { kind: 'note', note: 'Ask for Ruth; she is in the shop until noon.' }],
  ];
}
