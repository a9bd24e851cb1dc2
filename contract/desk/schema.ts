import { z } from 'zod';
import { declineReasonCodes } from '#contract/applications/decline-reasons.ts';
import { statuses, stepNames } from '#contract/applications/lifecycle.ts';
import { slaClock } from '#contract/applications/progress.ts';
import { collectionSummary } from '#contract/collections/schema.ts';
import type { FailureCode } from '#contract/errors.ts';
import { freeText, money, optional, page, searchPhrase, size, tag, total } from '#contract/fields.ts';
import { keysOf } from '#contract/keys.ts';
import { fundingLimit } from '#contract/limits/schema.ts';
import { overdueBucketNames } from '#contract/payments/buckets.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { shownRefusals } from '#contract/refusals/schema.ts';

/** The decision desk: staff decide here, and the forms stay read-only. */

/** The lists of the desk. */
export const queueViews = {
  undecided: 'All waiting',
  mine: 'Assigned to me',
  unassigned: 'Unassigned',
  dueSoon: 'Due within the hour',
  late: 'Late',
  secondOfficer: 'Second officer',
  toDisburse: 'To pay out',
  surplusOwed: 'Extra money owed',
  overdue: 'Overdue',
  days1To7: '1–7 days',
  days8To30: '8–30 days',
  days31To60: '31–60 days',
  days61To90: '61–90 days',
  daysOver90: 'Over 90 days',
  dueThisWeek: 'Due within 7 days',
  disbursed: 'All paid out',
  decidedThisMonth: 'Decided this month',
  settledThisMonth: 'Paid back this month',
} as const;
export type QueueView = keyof typeof queueViews;
export const queueViewNames = keysOf(queueViews);

/** The jobs of the desk, each with its filters. A job opens with its first filter, the work to do now. */
export const deskJobs = {
  decide: { label: 'Decide', views: ['undecided', 'mine', 'unassigned', 'dueSoon', 'late', 'secondOfficer'] },
  payOut: { label: 'Pay out', views: ['toDisburse', 'surplusOwed'] },
  collect: { label: 'Collect', views: ['overdue', ...overdueBucketNames, 'dueThisWeek', 'disbursed'] },
  history: { label: 'History', views: ['decidedThisMonth', 'settledThisMonth'] },
} as const satisfies Record<string, { readonly label: string; readonly views: readonly QueueView[] }>;
export type DeskJob = keyof typeof deskJobs;
export const deskJobNames = keysOf(deskJobs);

/** The job that a view belongs to. */
export function jobOf(view: QueueView): DeskJob {
  const owns = (job: DeskJob): boolean => deskJobs[job].views.some((one) => one === view);
  return deskJobNames.find(owns) ?? 'decide';
}

/** 'Due within 7 days' is today and this many days after it. */
export const DUE_THIS_WEEK_DAYS = 7;

export const queueBody = z
  .strictObject({
    page,
    size,
    view: z.enum(queueViewNames).default('undecided'),
    searchPhrase,
  })
  .prefault({});
export type QueueBody = z.output<typeof queueBody>;

const officer = z.strictObject({ tag, name: z.string() });
export type Officer = z.output<typeof officer>;

/** Marks for an officer's attention: a new case, or one where the client has answered since an officer last acted. */
export const queueMarks = { new: 'New', answered: 'Answered' } as const;
export type QueueMark = keyof typeof queueMarks;

/** Matters that another officer must confirm or decide. */
export const pendingKinds = {
  approval: 'Second approval',
  moreTime: 'More time',
  writeOff: 'Write-off',
  reversal: 'Reversal',
  receipt: 'Repayment',
} as const;
export type PendingKind = keyof typeof pendingKinds;
const pending = z.strictObject({
  kind: z.enum(keysOf(pendingKinds)),
  /** The officer who started it; null if only the client has asked so far. */
  by: officer.nullable(),
});
export type Pending = z.output<typeof pending>;

/** A case in a list of the desk, the most urgent first. */
export const queueRow = z.strictObject({
  tag,
  invoiceNumber: z.string(),
  client: z.string(),
  clientTag: tag,
  buyer: z.string(),
  buyerTag: tag,
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
  /** Unacknowledged possible duplicates. */
  flags: z.int().min(0),
  mark: z.enum(keysOf(queueMarks)).nullable(),
  decidedAt: z.iso.datetime().nullable(),
  /** Who approved or declined it. */
  decidedBy: officer.nullable(),
  /** The due date; null before the payout. */
  dueOn: z.iso.date().nullable(),
  overdue: overdue.nullable(),
  /** The outstanding part of the advance; null before the payout. */
  outstanding: money.nullable(),
  /** What was received above the advance and not yet passed on to the client. */
  surplusOwed: money,
  /** When the receipt that settled it was recorded. */
  settledAt: z.iso.datetime().nullable(),
  /** The record of paying back; null before the payout, once settled, and in lists outside the collecting job. */
  collection: collectionSummary.nullable(),
  /** Matters that need another officer; only filled in the list 'Second officer'. */
  pending: z.array(pending),
  total,
});
export type QueueRow = z.output<typeof queueRow>;

/** The number of cases in each view, and how many were decided in time this month. */
export const deskCounts = z.strictObject({
  undecided: z.int(),
  mine: z.int(),
  unassigned: z.int(),
  dueSoon: z.int(),
  late: z.int(),
  secondOfficer: z.int(),
  toDisburse: z.int(),
  surplusOwed: z.int(),
  overdue: z.int(),
  days1To7: z.int(),
  days8To30: z.int(),
  days31To60: z.int(),
  days61To90: z.int(),
  daysOver90: z.int(),
  dueThisWeek: z.int(),
  disbursed: z.int(),
  decidedThisMonth: z.int(),
  settledThisMonth: z.int(),
  decidedInTimeThisMonth: z.int(),
});
export type DeskCounts = z.output<typeof deskCounts>;

/** How well the SLA was kept: decisions in time, and the median working minutes to a decision. */
const kept = z.strictObject({
  decided: z.int(),
  inTime: z.int(),
  /** Undecided and past the deadline: counted as late, however they end. */
  stillLate: z.int(),
  /** Null if no case was decided. */
  medianMinutes: z.int().nullable(),
});
export const deskFigures = z.strictObject({
  targetMinutes: z.int(),
  thisMonth: kept,
  /** The last twelve weeks, each from Monday, oldest first. */
  weeks: z.array(kept.extend({ from: z.iso.date() })),
});
export type DeskFigures = z.output<typeof deskFigures>;

/** An account counts as new for this many days after its verification. */
export const NEW_ACCOUNT_DAYS = 30;

/** A possible duplicate, or a risk in the case itself, which an officer must acknowledge. */
export const flagKinds = {
  sameNumberAndAmount: 'Same buyer, number and amount, from another client',
  sameFile: 'The same file was uploaded for another invoice',
  nearAmountAndDate: 'Same buyer, an amount within 1%, dated within 7 days',
  nearNumber: 'Same buyer, and a number that reads the same',
  coverage: 'What the buyer will pay does not cover the advance',
  dueDate: 'The buyer pays after the advance is due back',
  buyerChanged: 'The buyer’s record changed after the submission',
  newPayoutAccount: `The payout account was checked less than ${NEW_ACCOUNT_DAYS} days ago`,
  holderDiffers: 'The provider does not confirm the name on the payout account',
  paidBefore: 'This was paid before, and that payment was reversed',
} as const;
export type FlagKind = keyof typeof flagKinds;
/** The flags about another invoice, the strongest first. */
export const duplicateKindCodes = ['sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber'] as const;
export type DuplicateKind = (typeof duplicateKindCodes)[number];
export type CaseFlagKind = Exclude<FlagKind, DuplicateKind>;
/** The flags about the case itself. */
export const caseFlagKindCodes = [
  'coverage',
  'dueDate',
  'buyerChanged',
  'newPayoutAccount',
  'holderDiffers',
  'paidBefore',
] as const satisfies readonly CaseFlagKind[];
const flagKindCodes = [...duplicateKindCodes, ...caseFlagKindCodes] as const;

/** The other invoice of a possible duplicate. */
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
  /** The names of identical files; empty for other kinds. */
  files: z.array(z.string()),
  /** Null for a flag about the case itself. */
  other: duplicate.nullable(),
  /** The text of the flag; null for a flag about another invoice. */
  fact: z.string().nullable(),
  /** Who acknowledged it, and why. While it is null, approval and payout are refused. */
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
  /** Includes this case. */
  overdue: z.int(),
  /** Earlier applications on invoices to the same buyer. */
  withThisBuyer: z.int(),
});
export type ClientHistory = z.output<typeof clientHistory>;

/** Why an officer may not approve or pay out now, apart from status and assignment. */
export const caseRefusals = [
  'NEW_OFFICER',
  'CLIENT_INACTIVE',
  'BUYER_INACTIVE',
  'LIMIT_NOT_HELD',
  'CLIENT_OVERDUE',
  'APPROVAL_LAPSED',
  'APPROVAL_VOID',
  'SECOND_APPROVAL',
  'ONLY_APPROVER',
  'OWN_CHANGE',
  'OWN_PAYOUT',
  'OWN_RECEIPT',
  'OWN_DISBURSEMENT',
  'OWN_SURPLUS',
] as const satisfies readonly FailureCode[];
export type CaseRefusal = (typeof caseRefusals)[number];

/** The actions of an officer on a case. */
export const caseActions = [
  'take',
  'startReview',
  'requestInformation',
  'recallRequest',
  'counterOffer',
  'recallOffer',
  'approve',
  'decline',
  'sendBack',
  'cancelApproval',
  'release',
  'handOver',
] as const;
export type CaseAction = (typeof caseActions)[number];

const offeredAction = z.strictObject({
  action: z.enum(caseActions),
  refusals: shownRefusals,
});
export type OfferedAction = z.output<typeof offeredAction>;

/** The client's newest step, if no officer has acted on it since. */
const clientAct = z.strictObject({
  step: z.enum(stepNames),
  at: z.iso.datetime(),
  /** For an answer to a request: the documents that came, and the words. */
  documents: z.array(z.strictObject({ type: z.string(), isReplacement: z.boolean() })),
  answer: z.string().nullable(),
});
export type ClientAct = z.output<typeof clientAct>;

/** A person to call, with what we know of them. */
const caseContact = z.strictObject({ name: z.string(), phone: z.string().nullable(), email: z.string().nullable() });
export type CaseContact = z.output<typeof caseContact>;

export const caseReply = z.strictObject({
  ...queueRow.omit({ total: true, flags: true, mark: true, collection: true, pending: true }).shape,
  clientAct: clientAct.nullable(),
  /** Up to three active people of each business, the one who applied first. */
  contacts: z.strictObject({ client: z.array(caseContact), buyer: z.array(caseContact) }),
  /** The cash still to send once a first part has been sent; 0 before. */
  restOwed: money,
  /** How much the buyer should pay of the invoice, and how much of the advance that covers: 99.8 means 99.8 %. */
  expectedCash: money,
  coveragePercent: z.number(),
  /** When the buyer pays; null if unknown. */
  paymentDueOn: z.iso.date().nullable(),
  feesCharged: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  /** Whether an approval is void because the officer who gave it may no longer act on the case. */
  approvalVoid: z.boolean(),
  /** Whether an approved case needs another approval before it is paid out, by anybody or by the caller. */
  secondMissing: z.boolean(),
  /** The caller's possible actions in this status, including refused ones, in screen order. */
  actions: z.array(offeredAction),
  /** Why the caller may not approve, prepare a payout or release it, in a status that allows it. */
  approveRefusal: z.enum(caseRefusals).nullable(),
  prepareRefusal: z.enum(caseRefusals).nullable(),
  payOutRefusal: z.enum(caseRefusals).nullable(),
  /** Whether an approval by the caller is one of two. */
  needsTwo: z.boolean(),
  /** Whether the caller recently activated or moved the applicant, which is another reason for two approvals. */
  placedByYou: z.boolean(),
  /** Whether a first approval was cancelled by a replaced document and is needed again. */
  firstApprovalVoided: z.boolean(),
  /** Why the caller may not act on this case; null if they may. */
  barred: z.enum(['ownBusiness']).nullable(),
  history: clientHistory,
  /** The client's limit in the currency of the invoice. */
  exposure: fundingLimit,
  flags: z.array(flag),
});
export type CaseReply = z.output<typeof caseReply>;

const SAY_WHY = 'Say in a few words why this can continue';
const REASON_WORDS = 3;
/** The flags that an officer acknowledges. Each names its other invoice, or the text that the officer read. */
export const acknowledgeBody = z.strictObject({
  flags: z
    .array(
      z.strictObject({ kind: z.enum(flagKindCodes), otherTag: optional(tag), fact: optional(z.string().max(400)) }),
      'Select at least one',
    )
    .min(1, 'Select at least one')
    .max(100, 'Select up to 100'),
  reason: freeText(10, SAY_WHY, 1000).refine((text) => text.split(/\s+/u).length >= REASON_WORDS, SAY_WHY),
});
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

/** Which approval the officer means, so that another one is refused. */
export const approveBody = z.strictObject({ step: z.enum(['approveFirst', 'approve']).optional() }).optional();
export type ApproveBody = z.output<typeof approveBody>;
export const handOverBody = z.strictObject({ officerTag: tag });
export type HandOverBody = z.output<typeof handOverBody>;
export const declineBody = z.strictObject({
  reason: z.enum(declineReasonCodes, 'Select a reason'),
  note: freeText(4, 'Write what the client should know', 1000),
});
export type DeclineBody = z.output<typeof declineBody>;
export const sendBackBody = z.strictObject({ note: freeText(4, 'Say what should be looked at again', 1000) });
export type SendBackBody = z.output<typeof sendBackBody>;
export const cancelApprovalBody = z.strictObject({ reason: freeText(4, 'Write what the client should know', 1000) });
export type CancelApprovalBody = z.output<typeof cancelApprovalBody>;
export const officers = z.array(officer);
