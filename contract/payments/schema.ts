import { z } from 'zod';
import { amount, calendarDate, freeText, money, tag, text } from '#contract/fields.ts';
import { type CashMethod, cashMethods } from '#contract/journal/accounts.ts';
import { deductionCodes, postedKinds } from '#contract/journal/position.ts';
import { keysOf } from '#contract/keys.ts';
import { paymentReference } from '#contract/payments/references/payment-reference.ts';
import { shownRefusals } from '#contract/refusals/schema.ts';
import { railCodes } from '#contract/statements/layouts.ts';
import { overdue } from './overdue.ts';

/** Payments as officers record and read them. Recording one moves no money. */

/** Mobile money of an unknown network occurs in entries of the first release. */
export const paymentMethods = {
  mtn: 'MTN mobile money',
  airtel: 'Airtel Money',
  bank: 'Bank transfer',
  mobileMoney: 'Mobile money',
} as const satisfies Record<CashMethod, string>;

export const payers = { buyer: 'The buyer', client: 'The client' } as const;
export type Payer = keyof typeof payers;
export const payerCodes = keysOf(payers);

const paid = {
  /**
   * A statement belongs to one network's account. A payment without its network would count twice once the statement
   * comes.
   */
  method: z.enum(railCodes, 'Select MTN, Airtel or bank'),
  reference: paymentReference,
  date: calendarDate('Provide the date of the payment'),
  amount: amount('Amount is required'),
};

const payment = z.strictObject(paid);
export type PaymentBody = z.output<typeof payment>;

/** A payment to us. */
export const receiptBody = z.strictObject({
  ...paid,
  payer: z.enum(payerCodes, 'Select who paid'),
  /** The officer has seen that the total exceeds the whole invoice. */
  confirmed: z.boolean().optional(),
  /** The officer has seen that another payment uses the reference. */
  referenceConfirmed: z.boolean().optional(),
});
export type ReceiptBody = z.output<typeof receiptBody>;

/** A payment to us that another officer must confirm, with the first officer's evidence. */
export const receiptProposalBody = receiptBody.extend({
  reason: freeText(4, 'Say where you saw this payment', 500),
});
export type ReceiptProposalBody = z.output<typeof receiptProposalBody>;

/** A deduction: an amount that the buyer kept back. */
export const deductionBody = z.strictObject({
  deduction: z.enum(deductionCodes, 'Select what the buyer kept back'),
  certificate: text(2, 'Give the number of the certificate or note', 60),
  date: calendarDate('Provide the date of the certificate or note'),
  amount: paid.amount,
});
export type DeductionBody = z.output<typeof deductionBody>;

export const reversalBody = z.strictObject({ reason: freeText(4, 'Say why you reverse it', 500) });
export type ReversalBody = z.output<typeof reversalBody>;

/** The kinds that the ledger lists one by one; daily fee earnings, late days and roundings are not. */
const ledgerKinds = postedKinds.filter((kind) => kind !== 'feeEarned' && kind !== 'lateCharge' && kind !== 'rounding');
export type LedgerKind = (typeof ledgerKinds)[number];

/** Writes off the outstanding amount; `amount` is the sum that the officer saw. */
export const writeOffBody = z.strictObject({
  amount: paid.amount,
  reason: freeText(4, 'Say why it will not be paid back', 500),
});
export type WriteOffBody = z.output<typeof writeOffBody>;

/**
 * Proposals about an application's money that another officer must confirm: to write off the outstanding amount, to
 * reverse a payout made by hand, or to record a repayment that no statement shows.
 */
export const proposalKinds = ['writeOff', 'reversal', 'receipt'] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** The proposal to confirm or drop. */
export const proposalAnswer = z.strictObject({ proposalTag: tag });
export type ProposalAnswer = z.output<typeof proposalAnswer>;

const proposal = z.strictObject({
  tag,
  kind: z.enum(proposalKinds),
  amount: money,
  reason: z.string(),
  proposedAt: z.iso.datetime(),
  proposedBy: z.string(),
  /** Why the reader can't confirm it. */
  refusals: shownRefusals,
  /** The entry that a reversal reverses; null for other kinds. */
  entryTag: tag.nullable(),
  /** The terms of a receipt; null for other kinds. */
  receipt: z
    .strictObject({
      method: z.enum(cashMethods),
      reference: z.string(),
      date: z.iso.date(),
      payer: z.enum(payerCodes),
    })
    .nullable(),
});
export type Proposal = z.output<typeof proposal>;

/**
 * An entry of the ledger. A reversal has a negative amount, a `reason`, the entry that it reverses in `reverses`, and
 * the date of its recording.
 */
export const ledgerEntry = z.strictObject({
  tag,
  kind: z.enum(ledgerKinds),
  amount: money,
  date: z.iso.date(),
  /** Null if no money moved. */
  method: z.enum(cashMethods).nullable(),
  /** From the bank or the operator; for a deduction, the certificate or note. */
  reference: z.string().nullable(),
  deduction: z.enum(deductionCodes).nullable(),
  payer: z.enum(payerCodes).nullable(),
  reverses: tag.nullable(),
  /** Whether another entry reverses it. */
  reversed: z.boolean(),
  /** Whether the reader may reverse it, or propose to; null if nobody may, and for a client. */
  reversal: z.strictObject({ act: z.enum(['reverse', 'propose']), refusals: shownRefusals }).nullable(),
  /** The reason of a reversal; null for a client, because it may name another client. */
  reason: z.string().nullable(),
  recordedAt: z.iso.datetime(),
  /** Who recorded it; null for a client. */
  recordedBy: z.string().nullable(),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

/** The cost of being late on an application. */
const lateCharge = z.strictObject({
  charged: money,
  /** How many days were charged. */
  days: z.int().min(0),
  /** The cost of the next day. */
  perDay: money,
  /** The maximum for all days together. */
  atMost: money,
});
export type LateCharge = z.output<typeof lateCharge>;

/** The balance of an application, with every entry, oldest first. */
export const paymentsReply = z.strictObject({
  disbursed: money,
  /** The cash still to send once a first part has been sent. */
  restOwed: money,
  received: money,
  outstanding: money,
  surplusOwed: money,
  surplusPaid: money,
  /** The amount that the buyer kept back, and their remaining debt on the invoice. */
  deducted: money,
  buyerOwes: money,
  /** The part of a write-off that nobody has paid since. */
  lost: money,
  /** The proposal that waits for another officer; null for a client. */
  proposal: proposal.nullable(),
  /** Why the reader can't propose to write off the outstanding amount; null if nothing is owed, and for a client. */
  writeOffRefusals: shownRefusals.nullable(),
  /** The due date; null before the disbursement. */
  dueOn: z.iso.date().nullable(),
  overdue: overdue.nullable(),
  /** Null if late days cost nothing. */
  lateCharge: lateCharge.nullable(),
  entries: z.array(ledgerEntry),
});
export type PaymentsReply = z.output<typeof paymentsReply>;
