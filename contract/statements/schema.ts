import { z } from 'zod';
import { amount, calendarDate, freeText, money, searchPhrase, success, tag, text } from '#contract/fields.ts';
import { payerCodes } from '#contract/payments/schema.ts';
import { railCodes, statementAccountCodes } from './layouts.ts';
import { waitingReasonCodes } from './matching.ts';
import { comparisonCodes, differenceKindCodes } from './reconciliation.ts';

/** Statements, and the money that arrived by them, as officers see it. */

/** Five thousand lines are well below it. */
export const MAXIMUM_STATEMENT_BYTES = 2 * 1024 * 1024;

const currency = z.string().regex(/^[A-Z]{3}$/, 'Select the currency');

/** The days that were exported, also those without payments: no file says them. */
const period = { from: calendarDate('Provide the first day'), until: calendarDate('Provide the last day') };
const isInOrder = ({ from, until }: { readonly from: string; readonly until: string }): boolean => from <= until;
const OUT_OF_ORDER = { path: ['until'], error: 'The last day is before the first day' };
export const UNTIL_TO_COME = 'The last day is still to come';

export const statementPeriod = z.strictObject(period).refine(isInOrder, OUT_OF_ORDER);
export type StatementPeriod = z.output<typeof statementPeriod>;

/** Of which account, and of which days, the file is a statement. */
export const statementQuery = z
  .strictObject({
    rail: z.enum(railCodes, 'Select the account'),
    currency,
    account: z.enum(statementAccountCodes, 'Select what it is a statement of').default('all'),
    fileName: text(1, 'Name the file', 200),
    ...period,
  })
  .refine(isInOrder, OUT_OF_ORDER);
export type StatementQuery = z.output<typeof statementQuery>;

const count = z.int().min(0);

/** What became of a file's lines. */
export const importedReply = success.extend({
  data: z.strictObject({
    lines: count,
    /** Counted by an earlier import. */
    before: count,
    /** An earlier import says something else of them: left as we have them. */
    contradicting: count,
    /** Left out, because no money moved. */
    left: count,
    /** Money that went out. */
    sent: count,
    /** Of our payouts by file: this and earlier statements show that they are paid. */
    paid: count,
    /** Recorded by an officer before. */
    known: count,
    /** Credited to their application at once. */
    matched: count,
    proposed: count,
    toAssign: count,
  }),
});
export type Imported = z.output<typeof importedReply>['data'];

export const importedStatement = z.strictObject({
  tag,
  rail: z.enum(railCodes),
  currency: z.string(),
  account: z.enum(statementAccountCodes),
  fileName: z.string(),
  from: z.iso.date(),
  until: z.iso.date(),
  lines: count,
  newLines: count,
  received: money,
  sent: money,
  importedAt: z.iso.datetime(),
  importedBy: z.string(),
});
export type ImportedStatement = z.output<typeof importedStatement>;

/** An application that money may be assigned to. */
export const claimant = z.strictObject({
  tag,
  reference: z.string(),
  invoiceNumber: z.string(),
  client: z.string(),
  buyer: z.string(),
  currency: z.string(),
  outstanding: money,
  payer: z.enum(payerCodes),
});
export type ClaimantReply = z.output<typeof claimant>;

/** Of who proposed it, and of who took in the statement that has the money. */
const returnRefusals = ['OWN_RETURN', 'OWN_STATEMENT'] as const;
export type ReturnRefusal = (typeof returnRefusals)[number];

const openReturn = z.strictObject({
  tag,
  amount: money,
  reason: z.string(),
  proposedBy: z.string(),
  /** Why the reader cannot confirm it. */
  refusal: z.enum(returnRefusals).nullable(),
});

/** Money in suspense. */
export const waitingArrival = z.strictObject({
  tag,
  rail: z.enum(railCodes),
  currency: z.string(),
  date: z.iso.date(),
  amount: money,
  /** What of it is not assigned yet. */
  left: money,
  id: z.string(),
  payerNumber: z.string().nullable(),
  payerName: z.string().nullable(),
  details: z.string(),
  why: z.enum(waitingReasonCodes),
  proposals: z.array(claimant),
  /** Our payout that it names; `paidAs` is the bank's id of it, once it is paid. */
  payout: z
    .strictObject({
      applicationTag: tag,
      invoiceNumber: z.string(),
      client: z.string(),
      paidAs: z.string().nullable(),
    })
    .nullable(),
  return: openReturn.nullable(),
});
export type WaitingArrival = z.output<typeof waitingArrival>;

/** Money in suspense, oldest first. */
export const waitingReply = z.strictObject({
  arrivals: z.array(waitingArrival),
  hasMore: z.boolean(),
  total: count,
  /** The sums by currency. */
  sums: z.array(z.strictObject({ currency: z.string(), amount: z.string() })),
  /** The newest imports. */
  statements: z.array(importedStatement),
});
export type WaitingReply = z.output<typeof waitingReply>;

export const claimantsQuery = z.strictObject({ searchPhrase });

/** Applications in a split at most. */
export const MAXIMUM_PARTS = 10;

/** To which applications it belongs; what is not named stays in suspense. */
export const assignmentBody = z.strictObject({
  parts: z
    .array(
      z.strictObject({
        applicationTag: tag,
        amount: amount('Amount is required'),
        payer: z.enum(payerCodes, 'Select who paid'),
        /** The officer has seen that it is more than the whole invoice. */
        confirmed: z.boolean().optional(),
      }),
    )
    .min(1, 'Choose an application')
    .max(MAXIMUM_PARTS, `Split it over up to ${MAXIMUM_PARTS} applications`),
});
/** The form of it: what is confirmed counts for every part. */
export const assignmentForm = assignmentBody.extend({ confirmed: z.boolean() });
export type AssignmentBody = z.output<typeof assignmentBody>;

export const returnBody = z.strictObject({
  amount: amount('Amount is required'),
  reason: freeText(4, 'Say why it is sent back', 500),
});
export type ReturnBody = z.output<typeof returnBody>;

export const returnAnswer = z.strictObject({ returnTag: tag });
export type ReturnAnswer = z.output<typeof returnAnswer>;

/** The money has been sent back. */
export const returnedBody = z.strictObject({
  returnTag: tag,
  reference: text(2, 'Give the reference of the payment', 60),
  date: calendarDate('Provide the date of the payment'),
});
export type ReturnedBody = z.output<typeof returnedBody>;

/** An account, and a day of it. */
export const accountDay = {
  rail: z.enum(railCodes, 'Select the account'),
  currency,
  day: calendarDate('Provide the day'),
};

export const reconciliationQuery = z.strictObject({ ...accountDay, day: accountDay.day.optional() });
export type ReconciliationQuery = z.output<typeof reconciliationQuery>;

/** Which difference is explained, as the officer saw it. */
export const explanationBody = z.strictObject({
  ...accountDay,
  difference: text(1, 'Choose the difference', 400),
  reason: freeText(4, 'Say why the two sides differ', 500),
});
export type ExplanationBody = z.output<typeof explanationBody>;

export const closingBody = z.strictObject(accountDay);
export type ClosingBody = z.output<typeof closingBody>;

const shownDifference = z.strictObject({
  difference: z.string(),
  comparison: z.enum(comparisonCodes),
  kind: z.enum(differenceKindCodes),
  reference: z.string(),
  there: money.nullable(),
  here: money.nullable(),
  days: z.array(z.iso.date()),
  /** What statements say of it where they contradict each other; null of one that lacks it. */
  imports: z.array(
    z.strictObject({
      account: z.enum(statementAccountCodes),
      fileName: z.string(),
      importedAt: z.iso.datetime(),
      by: z.string(),
      says: z.strictObject({ date: z.iso.date(), amount: money, payer: z.string(), details: z.string() }).nullable(),
    }),
  ),
  /** The applications that it names, and those on which it is counted. */
  applications: z.array(z.strictObject({ tag, invoiceNumber: z.string(), isNamed: z.boolean() })),
  /** Whether our side of it is the reader's word; another officer must explain it. */
  isOwn: z.boolean(),
  explained: z.strictObject({ reason: z.string(), by: z.string() }).nullable(),
});
export type ShownDifference = z.output<typeof shownDifference>;

/** A day of an account on both sides, and how the days around it stand. */
export const reconciliationReply = z.strictObject({
  rail: z.enum(railCodes),
  currency: z.string(),
  day: z.iso.date(),
  byStatement: money,
  byJournal: money,
  closed: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
  /** The day's transfers over a provider's rail, and how many of them have no answer on how they ended from after that day. */
  transfers: z.strictObject({ total: count, unanswered: count }),
  differences: z.array(shownDifference),
  /** The last days and earlier ones with open differences, newest first, and how many are open. */
  days: z.array(z.strictObject({ day: z.iso.date(), open: count, isClosed: z.boolean() })),
});
export type ReconciliationReply = z.output<typeof reconciliationReply>;
