import { z } from 'zod';
import { amount, calendarDate, freeText, money, tag, text } from '#contract/fields.ts';
import { entryKinds } from './balance.ts';
import { overdue } from './overdue.ts';

/** Payments as they are recorded and shown; the money itself moves elsewhere. */

export const paymentMethods = { mobileMoney: 'Mobile money', bank: 'Bank transfer' } as const;
export type PaymentMethod = keyof typeof paymentMethods;
export const paymentMethodCodes = ['mobileMoney', 'bank'] as const;

export const payers = { buyer: 'The buyer', client: 'The client' } as const;
export type Payer = keyof typeof payers;
export const payerCodes = ['buyer', 'client'] as const;

const paid = {
  method: z.enum(paymentMethodCodes, 'Select how it was paid'),
  reference: text(2, 'Give the reference of the payment', 60),
  date: calendarDate('Provide the date of the payment'),
  amount: amount('Amount is required'),
};

/** A payment to the client: a disbursement or a surplus. */
export const paymentBody = z.strictObject(paid);
export type PaymentBody = z.output<typeof paymentBody>;

/** A payment to us. */
export const receiptBody = z.strictObject({ ...paid, payer: z.enum(payerCodes, 'Select who paid') });
export type ReceiptBody = z.output<typeof receiptBody>;

export const reversalBody = z.strictObject({ reason: freeText(4, 'Say why you reverse it', 500) });
export type ReversalBody = z.output<typeof reversalBody>;

/**
 * An entry of the ledger. A counter-entry has a negative amount, a `reason`, the entry that it reverses in `reverses`,
 * and the date of its recording.
 */
export const ledgerEntry = z.strictObject({
  tag,
  kind: z.enum(entryKinds),
  amount: money,
  date: z.iso.date(),
  method: z.enum(paymentMethodCodes),
  reference: z.string(),
  payer: z.enum(payerCodes).nullable(),
  reverses: tag.nullable(),
  /** Whether a counter-entry reverses it. */
  reversed: z.boolean(),
  /** Why it reverses another; null for a client, because it may name another client. */
  reason: z.string().nullable(),
  recordedAt: z.iso.datetime(),
  /** Who recorded it; null for a client. */
  recordedBy: z.string().nullable(),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

/** The balance of an application, with every entry, oldest first. */
export const paymentsReply = z.strictObject({
  disbursed: money,
  received: money,
  outstanding: money,
  surplusOwed: money,
  surplusPaid: money,
  /** The due date; null before the disbursement. */
  dueOn: z.iso.date().nullable(),
  overdue: overdue.nullable(),
  entries: z.array(ledgerEntry),
});
export type PaymentsReply = z.output<typeof paymentsReply>;
