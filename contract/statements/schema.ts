import { z } from 'zod';
import { amount, calendarDate, freeText, money, searchPhrase, success, tag, text } from '#contract/fields.ts';
import { paymentReference } from '#contract/payments/references/payment-reference.ts';
import { payerCodes } from '#contract/payments/schema.ts';
import { closingRefusalCodes, dayStateCodes } from './closing.ts';
import { railCodes, statementAccountCodes } from './layouts.ts';
import { waitingReasonCodes } from './matching.ts';
import { comparisonCodes, differenceKindCodes } from './reconciliation.ts';
import { suggestionReasonCodes } from './suggestions.ts';
import { consequenceCodes, obstacleCodes } from './withdrawal.ts';

/** Statements and the money in them, for officers. */

/** Well above the size of 5,000 lines. */
export const MAXIMUM_STATEMENT_BYTES = 2 * 1024 * 1024;

const currency = z.string().regex(/^[A-Z]{3}$/, 'Select the currency');

/** The exported days. The file itself doesn't show them, because it has no lines for days without payments. */
const period = { from: calendarDate('Provide the first day'), until: calendarDate('Provide the last day') };
const isInOrder = ({ from, until }: { readonly from: string; readonly until: string }): boolean => from <= until;
const OUT_OF_ORDER = { path: ['until'], error: 'The last day is before the first day' };
export const UNTIL_TO_COME = 'The last day is still to come';

export const statementPeriod = z.strictObject(period).refine(isInOrder, OUT_OF_ORDER);
export type StatementPeriod = z.output<typeof statementPeriod>;

/** The account and the period of a statement file. */
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

/** What happened to a file's lines. They are matched afterwards; see {@link matchingReply}. */
export const importedReply = success.extend({
  data: z.strictObject({
    /** The tag of the statement; null if the file was imported before. */
    tag: tag.nullable(),
    lines: count,
    /** Counted by an earlier import. */
    before: count,
    /** Contradict an earlier import, which stays in force. */
    contradicting: count,
    /** Left out, because no money moved. */
    left: count,
    /** Money that went out. */
    sent: count,
    /** Recorded by an officer earlier. */
    known: count,
    /** In suspense, to be matched. */
    toMatch: count,
    /** May be counted already: an officer decides. */
    repeats: count,
  }),
});
export type Imported = z.output<typeof importedReply>['data'];

/** A proposal to withdraw a statement, open or confirmed. */
const withdrawal = z.strictObject({
  tag,
  reason: z.string(),
  proposedBy: z.string(),
  confirmed: z.strictObject({ by: z.string(), at: z.iso.datetime() }).nullable(),
  /** Why the reader cannot confirm it. */
  refusal: z.literal('OWN_PROPOSAL').nullable(),
});

/** How far the matching of a statement is. */
const matchingProgress = { toMatch: count, /** Credited to their application so far. */ matched: count };

/** The matching of a statement. */
export const matchingReply = z.strictObject({
  ...matchingProgress,
  /** Set once matching has finished. */
  finished: z
    .strictObject({
      /** Still in suspense. */
      toAssign: count,
      /** Our payouts by file that the statement shows as paid. */
      paid: count,
    })
    .nullable(),
});
export type Matching = z.output<typeof matchingReply>;

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
  withdrawal: withdrawal.nullable(),
  /** Null once its lines have been matched. */
  matching: z.strictObject(matchingProgress).nullable(),
});
export type ImportedStatement = z.output<typeof importedStatement>;

const mentioned = {
  total: count,
  first: z.array(z.strictObject({ name: z.string(), applicationTag: tag.nullable() })),
};

/** Reasons why a statement can't be withdrawn, and consequences of withdrawing it. */
export const withdrawalReply = z.strictObject({
  obstacles: z.array(z.strictObject({ kind: z.enum(obstacleCodes), ...mentioned })),
  consequences: z.array(z.strictObject({ kind: z.enum(consequenceCodes), ...mentioned })),
});
export type WithdrawalReply = z.output<typeof withdrawalReply>;

export const withdrawalBody = z.strictObject({ reason: freeText(4, 'Say why it is withdrawn', 500) });
export type WithdrawalBody = z.output<typeof withdrawalBody>;

export const withdrawalAnswer = z.strictObject({ withdrawalTag: tag });
export type WithdrawalAnswer = z.output<typeof withdrawalAnswer>;

/** An application that money may be assigned to. */
export const claimant = z.strictObject({
  tag,
  reference: z.string(),
  invoiceNumber: z.string(),
  client: z.string(),
  buyer: z.string(),
  currency: z.string(),
  outstanding: money,
  /** How much of what is left to offer for it. */
  amount: money,
  /** Who paid, according to the line. */
  payer: z.enum(payerCodes),
  /** Another buyer that the payer looks like: the money may not be for this invoice. */
  otherBuyer: z.string().nullable(),
});
export type ClaimantReply = z.output<typeof claimant>;

/** An application that the line seems to pay, and why. */
const suggestion = claimant.extend({ reasons: z.array(z.enum(suggestionReasonCodes)) });
export type Suggestion = z.output<typeof suggestion>;

/** Why the reader can't assign any of it: they took it off an application, or became an officer only lately. */
const assignRefusals = ['OWN_REVERSAL', 'NEW_OFFICER'] as const;
export type AssignRefusal = (typeof assignRefusals)[number];

/** Why the reader can't confirm a return: they proposed it, or they imported the statement. */
const returnRefusals = ['OWN_RETURN', 'OWN_STATEMENT'] as const;
export type ReturnRefusal = (typeof returnRefusals)[number];

const openReturn = z.strictObject({
  tag,
  amount: money,
  reason: z.string(),
  proposedBy: z.string(),
  /** Why the reader cannot confirm the return. */
  refusal: z.enum(returnRefusals).nullable(),
});

/** Money in suspense. */
export const receivedPayment = z.strictObject({
  tag,
  rail: z.enum(railCodes),
  currency: z.string(),
  date: z.iso.date(),
  amount: money,
  /** The part that is not assigned yet. */
  left: money,
  id: z.string(),
  payerNumber: z.string().nullable(),
  payerName: z.string().nullable(),
  details: z.string(),
  why: z.enum(waitingReasonCodes),
  /** The most likely applications first; none while the reader can't assign it. */
  suggestions: z.array(suggestion),
  refusal: z.enum(assignRefusals).nullable(),
  /** Our payout that it names; `paidAs` is the bank's id once it is paid. */
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
export type ReceivedPayment = z.output<typeof receivedPayment>;

/** Whether a line is the same payment as the other line. */
export const repeatAnswer = z.strictObject({ isSame: z.boolean() });
export type RepeatAnswer = z.output<typeof repeatAnswer>;

const repeatedLine = z.strictObject({
  /** The bank's reference. */
  id: z.string().nullable(),
  payerName: z.string().nullable(),
  details: z.string(),
  fileName: z.string(),
});

/** A bank's line that may be the same payment as another line. Only one of them has the bank's reference. */
export const possibleRepeat = z.strictObject({
  tag,
  rail: z.enum(railCodes),
  currency: z.string(),
  date: z.iso.date(),
  amount: money,
  line: repeatedLine,
  other: repeatedLine,
  /** The applications on which the other line is counted. */
  on: z.array(z.strictObject({ tag, invoiceNumber: z.string() })),
  /** The officer who decided recently that it is the same payment. */
  saidBy: z.string().nullable(),
  /** Why the reader can't decide that it is another payment. */
  refusal: z.enum(['REPEAT_ANSWERED', 'OWN_REPEAT']).nullable(),
});
export type PossibleRepeat = z.output<typeof possibleRepeat>;

/** Money in suspense, oldest first. */
export const waitingReply = z.strictObject({
  /** Lines that may be counted already, not counted yet. Those decided to be the same payment stay for some days. */
  repeats: z.array(possibleRepeat),
  received: z.array(receivedPayment),
  hasMore: z.boolean(),
  total: count,
  /** The sums by currency. */
  sums: z.array(z.strictObject({ currency: z.string(), amount: z.string() })),
  /** The newest imports. */
  statements: z.array(importedStatement),
});
export type WaitingReply = z.output<typeof waitingReply>;

export const claimantsQuery = z.strictObject({ searchPhrase });

/** The largest number of applications in a split. */
export const MAXIMUM_PARTS = 10;

/** The applications that get the money; the rest stays in suspense. */
export const assignmentBody = z.strictObject({
  parts: z
    .array(
      z.strictObject({
        applicationTag: tag,
        amount: amount('Amount is required'),
        payer: z.enum(payerCodes, 'Select who paid'),
        /** The officer has seen that the total is more than the whole invoice. */
        confirmed: z.boolean().optional(),
        /** The officer has seen that it may be a returned payout. */
        confirmedReturn: z.boolean().optional(),
      }),
    )
    .min(1, 'Choose an application')
    .max(MAXIMUM_PARTS, `Split it over up to ${MAXIMUM_PARTS} applications`),
});
/** The form. One confirmation applies to every part. */
export const assignmentForm = assignmentBody.extend({ confirmed: z.boolean(), confirmedReturn: z.boolean() });
export type AssignmentBody = z.output<typeof assignmentBody>;

export const returnBody = z.strictObject({
  amount: amount('Amount is required'),
  reason: freeText(4, 'Say why it is sent back', 500),
});
export type ReturnBody = z.output<typeof returnBody>;

export const returnAnswer = z.strictObject({ returnTag: tag });
export type ReturnAnswer = z.output<typeof returnAnswer>;

/** Records that the money was sent back. */
export const returnedBody = z.strictObject({
  returnTag: tag,
  reference: paymentReference,
  date: calendarDate('Provide the date of the payment'),
});
export type ReturnedBody = z.output<typeof returnedBody>;

/** A day of an account. */
export const accountDay = {
  rail: z.enum(railCodes, 'Select the account'),
  currency,
  day: calendarDate('Provide the day'),
};

/** The largest number of one officer's statements that may contradict others about a day of an account. */
export const MAXIMUM_CONTRADICTING = 40;

/** The largest number of other statements' lines that a statement may lack on its days. */
export const MAXIMUM_LACKING = 100_000;

/** The largest number of differences on a page. */
export const DIFFERENCES_AT_ONCE = 50;

const inAddress = z.coerce.number();

export const reconciliationQuery = z.strictObject({
  ...accountDay,
  day: accountDay.day.optional(),
  /** The page of the day's differences, open ones first. */
  page: inAddress.pipe(z.int().min(1).max(10_000_000)).default(1),
  size: inAddress.pipe(z.int().min(1).max(DIFFERENCES_AT_ONCE)).default(DIFFERENCES_AT_ONCE),
});
export type ReconciliationQuery = z.output<typeof reconciliationQuery>;

/** The difference to explain, as the officer saw it. */
export const explanationBody = z.strictObject({
  ...accountDay,
  difference: text(1, 'Choose the difference', 400),
  reason: freeText(4, 'Say why the two sides differ', 500),
});
export type ExplanationBody = z.output<typeof explanationBody>;

export const closingBody = z.strictObject(accountDay);
export type ClosingBody = z.output<typeof closingBody>;

/** A line as one statement has it. */
const lineWords = z.strictObject({ date: z.iso.date(), amount: money, payer: z.string(), details: z.string() });

const shownDifference = z.strictObject({
  difference: z.string(),
  comparison: z.enum(comparisonCodes),
  kind: z.enum(differenceKindCodes),
  reference: z.string(),
  there: money.nullable(),
  here: money.nullable(),
  days: z.array(z.iso.date()),
  /**
   * Statements that contradict each other. If they contradict each other about one line, `says` is each statement's
   * version; null if it lacks the line.
   */
  imports: z.array(
    z.strictObject({
      tag,
      account: z.enum(statementAccountCodes),
      fileName: z.string(),
      importedAt: z.iso.datetime(),
      by: z.string(),
      says: lineWords.nullable(),
    }),
  ),
  /** How many lines they contradict each other about, and the first of them if there are several. */
  lineCount: count,
  lines: z.array(z.strictObject({ reference: z.string(), ours: lineWords, other: lineWords.nullable() })),
  /** The applications that the line names, and those whose receipts count it. */
  applications: z.array(z.strictObject({ tag, invoiceNumber: z.string(), isNamed: z.boolean() })),
  /** Whether the reader recorded our side. If so, another officer must explain it. */
  isOwn: z.boolean(),
  explained: z.strictObject({ reason: z.string(), by: z.string() }).nullable(),
});
export type ShownDifference = z.output<typeof shownDifference>;

/** A day of an account on both sides, and the state of the days around it. */
export const reconciliationReply = z.strictObject({
  rail: z.enum(railCodes),
  currency: z.string(),
  day: z.iso.date(),
  byStatement: money,
  byJournal: money,
  closed: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
  /** The day's transfers over a rail, and how many of them have no final answer given after that day. */
  transfers: z.strictObject({ total: count, unanswered: count }),
  /** A page of the day's differences, open ones first. `total` and `open` count all of them. */
  differences: z.array(shownDifference),
  total: count,
  open: count,
  /** The statements of the day, newest first, including withdrawn ones. */
  statements: z.array(importedStatement),
  /** Why the reader may not close the day; null if they may, or if it is not over. */
  closingRefusal: z.enum(closingRefusalCodes).nullable(),
  /** Recent days, and earlier days with open differences, earliest first. `open` is the number of open differences. */
  days: z.array(z.strictObject({ day: z.iso.date(), open: count, state: z.enum(dayStateCodes) })),
});
export type ReconciliationReply = z.output<typeof reconciliationReply>;
