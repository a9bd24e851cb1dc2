import { z } from 'zod';
import { declineReasonCodes } from '#contract/applications/decline-reasons.ts';
import { statuses } from '#contract/applications/lifecycle.ts';
import { slaClock } from '#contract/applications/progress.ts';
import type { FailureCode } from '#contract/errors.ts';
import { freeText, money, page, searchPhrase, tag, total } from '#contract/fields.ts';
import { fundingLimit } from '#contract/limits/schema.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { PAGE_SIZE } from '#contract/product.ts';

/** The decision desk: where staff decide, beside the read-only forms. */

/** What a list of the desk shows. */
export const queueViews = {
  undecided: 'All waiting',
  mine: 'Assigned to me',
  unassigned: 'Unassigned',
  dueSoon: 'Due within the hour',
  late: 'Late',
  secondApproval: 'Second approval',
  toDisburse: 'To pay out',
  surplusOwed: 'Extra money owed',
  overdue: 'Overdue',
  dueThisWeek: 'Due within 7 days',
  disbursed: 'All paid out',
  decidedThisMonth: 'Decided this month',
  settledThisMonth: 'Paid back this month',
} as const;
export type QueueView = keyof typeof queueViews;
export const queueViewNames = Object.keys(queueViews) as [QueueView, ...QueueView[]]; // the keys of a constant are its type's

/** The jobs of the desk, each with its filters. A job opens with its first one, which is what it has to do now. */
export const deskJobs = {
  decide: { label: 'Decide', views: ['undecided', 'mine', 'unassigned', 'dueSoon', 'late', 'secondApproval'] },
  payOut: { label: 'Pay out', views: ['toDisburse', 'surplusOwed'] },
  collect: { label: 'Collect', views: ['overdue', 'dueThisWeek', 'disbursed'] },
  history: { label: 'History', views: ['decidedThisMonth', 'settledThisMonth'] },
} as const satisfies Record<string, { readonly label: string; readonly views: readonly QueueView[] }>;
export type DeskJob = keyof typeof deskJobs;
export const deskJobNames = Object.keys(deskJobs) as readonly DeskJob[]; // the keys of a constant are its type's

/** The job that a view belongs to. */
export function jobOf(view: QueueView): DeskJob {
  const owns = (job: DeskJob): boolean => deskJobs[job].views.some((one) => one === view);
  return deskJobNames.find(owns) ?? 'decide';
}

/** 'Due within 7 days' is today and so many days after it. */
export const DUE_THIS_WEEK_DAYS = 7;

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

/** What an officer should notice: nobody has looked at it yet, or the client has answered and nobody has acted since. */
export const queueMarks = { new: 'New', answered: 'Answered' } as const;
export type QueueMark = keyof typeof queueMarks;

/** A case as a list of the desk shows it, the most urgent first. */
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
  clock: slaClock,
  holder: officer.nullable(),
  /** Who gave the first of two approvals. */
  firstApprovalBy: officer.nullable(),
  /** How many possible duplicates nobody has acknowledged. */
  flags: z.int().min(0),
  mark: z.enum(['new', 'answered']).nullable(),
  decidedAt: z.iso.datetime().nullable(),
  /** Who approved or declined it. */
  decidedBy: officer.nullable(),
  /** When the advance is due back; null before it is paid out. */
  dueOn: z.iso.date().nullable(),
  overdue: overdue.nullable(),
  /** What of the advance is not paid back yet; null before it is paid out. */
  outstanding: money.nullable(),
  /** What was paid back above the advance and not passed on to the client yet. */
  surplusOwed: money,
  /** When it was recorded as fully paid back. */
  settledAt: z.iso.datetime().nullable(),
  total,
});
export type QueueRow = z.output<typeof queueRow>;

/** How much there is in each view, and how many were decided in time this month. */
export const deskCounts = z.strictObject({
  undecided: z.int(),
  mine: z.int(),
  unassigned: z.int(),
  dueSoon: z.int(),
  late: z.int(),
  secondApproval: z.int(),
  toDisburse: z.int(),
  surplusOwed: z.int(),
  overdue: z.int(),
  dueThisWeek: z.int(),
  disbursed: z.int(),
  decidedThisMonth: z.int(),
  settledThisMonth: z.int(),
  decidedInTimeThisMonth: z.int(),
});
export type DeskCounts = z.output<typeof deskCounts>;

/** How the promise was kept: share in time and median working minutes to a decision, in all and by week. */
const kept = z.strictObject({
  decided: z.int(),
  inTime: z.int(),
  /** Not decided although the promise has passed: not in time, however it ends. */
  stillLate: z.int(),
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
  nearAmountAndDate: 'Same buyer, an amount within 1%, dated within 7 days',
  nearNumber: 'Same buyer, and a number that reads the same',
} as const;
export type FlagKind = keyof typeof flagKinds;
/** The strongest first. */
export const flagKindCodes = ['sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber'] as const;

/** An invoice beside another one. */
const duplicate = z.strictObject({
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
  other: duplicate,
  /** Who answers for it, and why; null as long as it stops approval and payment. */
  acknowledged: z.strictObject({ by: officer, at: z.iso.datetime(), reason: z.string() }).nullable(),
});
export type Flag = z.output<typeof flag>;

/** How a client's earlier applications went. */
export const clientHistory = z.strictObject({
  applications: z.int(),
  approved: z.int(),
  declined: z.int(),
  settledOnTime: z.int(),
  settledLate: z.int(),
  /** The case itself is one of them. */
  overdue: z.int(),
  /** Earlier applications on invoices to the same buyer. */
  withThisBuyer: z.int(),
});
export type ClientHistory = z.output<typeof clientHistory>;

/** Why an officer may not approve or pay out now, beside state and hold. */
export const caseRefusals = [
  'NEW_OFFICER',
  'CLIENT_INACTIVE',
  'BUYER_INACTIVE',
  'LIMIT_NOT_HELD',
  'APPROVAL_VOID',
  'SECOND_APPROVAL',
  'ONLY_APPROVER',
  'OWN_CHANGE',
  'OWN_RECEIPT',
  'OWN_DISBURSEMENT',
  'OWN_SURPLUS',
] as const satisfies readonly FailureCode[];
export type CaseRefusal = (typeof caseRefusals)[number];

export const caseReply = z.strictObject({
  ...queueRow.omit({ total: true, flags: true, mark: true }).shape,
  clientTag: tag,
  feesCharged: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  /** Whether an approval counts no more, because who gave it has left. */
  approvalVoid: z.boolean(),
  /** Whether an approved case takes a second approval: for anybody to pay it out, or for the one who asks. */
  secondMissing: z.boolean(),
  /** What stops whoever asks from approving, or from paying out, in a state that allows it. */
  approveRefusal: z.enum(caseRefusals).nullable(),
  payOutRefusal: z.enum(caseRefusals).nullable(),
  /** Whether an approval by the one who asks is one of two. */
  needsTwo: z.boolean(),
  /** Whether the one who asks activated or moved who submitted it a short time before: another reason for two. */
  placedByYou: z.boolean(),
  /** Whether a first approval was cancelled because a document was replaced, and is needed again. */
  firstApprovalVoided: z.boolean(),
  /** Why the one who asks may not act on this case; null where they may. */
  barred: z.enum(['ownBusiness']).nullable(),
  history: clientHistory,
  /** The client's limit in the currency of the invoice. */
  exposure: fundingLimit,
  flags: z.array(flag),
});
export type CaseReply = z.output<typeof caseReply>;

const SAY_WHY = 'Say in a few words why this is not a duplicate';
const REASON_WORDS = 3;
/** The flags that an officer answers for, each by name. */
export const acknowledgeBody = z.strictObject({
  flags: z
    .array(z.strictObject({ kind: z.enum(flagKindCodes), otherTag: tag }), 'Select at least one')
    .min(1, 'Select at least one')
    .max(100, 'Select up to 100'),
  reason: freeText(10, SAY_WHY, 1000).refine((text) => text.split(/\s+/u).length >= REASON_WORDS, SAY_WHY),
});
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

export const handOverBody = z.strictObject({ officerTag: tag });
export const declineBody = z.strictObject({
  reason: z.enum(declineReasonCodes, 'Select a reason'),
  note: freeText(4, 'Write what the client should know', 1000),
});
export type DeclineBody = z.output<typeof declineBody>;
export const sendBackBody = z.strictObject({ note: freeText(4, 'Say what should be looked at again', 1000) });
export type SendBackBody = z.output<typeof sendBackBody>;
export const officers = z.array(officer);
