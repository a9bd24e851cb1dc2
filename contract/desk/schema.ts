import { z } from 'zod';
import { declineReasonCodes } from '#contract/applications/decline-reasons.ts';
import { statuses } from '#contract/applications/lifecycle.ts';
import { promiseClock } from '#contract/applications/progress.ts';
import { money, page, prose, searchPhrase, tag, total } from '#contract/fields.ts';
import { fundingLimit } from '#contract/limits/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';

/** The decision desk (issue 'The decision desk'): where staff decide, beside the read-only forms. */

/** What a queue shows. */
export const queueViews = {
  undecided: 'Waiting for a decision',
  mine: 'Taken by me',
  free: 'Taken by nobody',
  dueSoon: 'Due within the hour',
  late: 'Late',
  secondApproval: 'Waiting for a second approval',
  toDisburse: 'To be paid out',
  disbursed: 'Paid out',
  overdue: 'Overdue',
  decidedThisMonth: 'Decided this month',
} as const;
export type QueueView = keyof typeof queueViews;
export const queueViewNames = [
  'undecided',
  'mine',
  'free',
  'dueSoon',
  'late',
  'secondApproval',
  'toDisburse',
  'disbursed',
  'overdue',
  'decidedThisMonth',
] as const;

export const queueBody = z
  .strictObject({
    page,
    size: z.int().min(1).max(100).default(PAGE_SIZE),
    view: z.enum(queueViewNames).default('undecided'),
    searchPhrase,
  })
  .prefault({});
export type QueueBody = z.output<typeof queueBody>;

const officer = z.strictObject({ tag, name: z.string() });
export type Officer = z.output<typeof officer>;

/** A case as the queue shows it; sorted by the time left, standing clocks last. */
export const queueRow = z.strictObject({
  tag,
  invoiceNumber: z.string(),
  client: z.string(),
  buyer: z.string(),
  currency: z.string(),
  amount: money,
  amountAppliedFor: money,
  amountReceived: money,
  status: z.enum(statuses),
  submittedAt: z.iso.datetime(),
  clock: promiseClock,
  holder: officer.nullable(),
  /** Who gave the first of two approvals. */
  firstApprovalBy: officer.nullable(),
  flags: z.int().min(0),
  /** When the advance is due back; null before it is paid out. */
  dueOn: z.iso.date().nullable(),
  total,
});
export type QueueRow = z.output<typeof queueRow>;

/** How much there is in the queues, and how well the promise was kept this month. */
export const deskCounts = z.strictObject({
  undecided: z.int(),
  mine: z.int(),
  dueSoon: z.int(),
  late: z.int(),
  secondApproval: z.int(),
  toDisburse: z.int(),
  overdue: z.int(),
  decidedThisMonth: z.int(),
  decidedInTimeThisMonth: z.int(),
});
export type DeskCounts = z.output<typeof deskCounts>;

/** How the promise was kept: share in time and median working minutes to a decision, in all and by week. */
const kept = z.strictObject({
  decided: z.int(),
  inTime: z.int(),
  /** Null where nothing was decided. */
  medianMinutes: z.int().nullable(),
});
export const deskFigures = z.strictObject({
  targetMinutes: z.int(),
  thisMonth: kept,
  /** The last twelve weeks from Monday, oldest first. */
  weeks: z.array(kept.extend({ from: z.iso.date() })),
});
export type DeskFigures = z.output<typeof deskFigures>;

/** What makes an invoice look financed twice. */
export const flagKinds = {
  sameNumberAndAmount: 'Same buyer, number and amount, from another client',
  sameFile: 'The same file was uploaded for another invoice',
  nearAmountAndDate: 'Same buyer and amount, dated within three days',
  nearNumber: 'Same buyer, and a number that reads the same',
} as const;
export type FlagKind = keyof typeof flagKinds;
/** The strongest first. */
export const flagKindCodes = ['sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber'] as const;

/** An invoice beside another one. */
const twin = z.strictObject({
  tag,
  invoiceNumber: z.string(),
  date: z.iso.date(),
  client: z.string(),
  buyer: z.string(),
  currency: z.string(),
  amount: money,
  amountAppliedFor: money.nullable(),
  status: z.enum(statuses),
});
export const flag = z.strictObject({
  kind: z.enum(flagKindCodes),
  /** The names of the files that both have; empty for other kinds. */
  files: z.array(z.string()),
  other: twin,
});
export type Flag = z.output<typeof flag>;

/** How a client's earlier applications went. */
export const clientHistory = z.strictObject({
  applications: z.int(),
  approved: z.int(),
  declined: z.int(),
  settledOnTime: z.int(),
  settledLate: z.int(),
  overdue: z.int(),
  /** Earlier applications on invoices to the same buyer. */
  withThisBuyer: z.int(),
});
export type ClientHistory = z.output<typeof clientHistory>;

export const caseReply = z.strictObject({
  ...queueRow.omit({ total: true, flags: true }).shape,
  clientTag: tag,
  feesCharged: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  /** Whether the advance needs two officers. */
  needsTwo: z.boolean(),
  /** Why the one who asks may not act on this case; null where they may. */
  barred: z.enum(['ownBusiness']).nullable(),
  history: clientHistory,
  /** The client's limit in the currency of the invoice. */
  exposure: fundingLimit,
  flags: z.array(flag),
});
export type CaseReply = z.output<typeof caseReply>;

export const handOverBody = z.strictObject({ officerTag: tag });
export const declineBody = z.strictObject({
  reason: z.enum(declineReasonCodes, 'Select a reason'),
  note: prose(4, 'Write what the client should know', 1000),
});
export type DeclineBody = z.output<typeof declineBody>;
export const sendBackBody = z.strictObject({ note: prose(4, 'Say what should be looked at again', 1000) });
export type SendBackBody = z.output<typeof sendBackBody>;
export const officers = z.array(officer);
