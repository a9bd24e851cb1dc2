import type { CashMethod } from '#contract/journal/accounts.ts';
import { formatAmount, MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { type Correction, correctionOf, type Derivation } from '#contract/payments/derived/derived.ts';
import { type CountedReference, refusalOfReference } from '#contract/payments/references/used-reference.ts';
import { atField, type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import type { StandingEntry } from './balance.ts';
import {
  acceptPayment,
  type ConsideredPayment,
  consider,
  hasHappened,
  isNotTooEarly,
  type PaidApplication,
  type PaymentDecision,
  type Receipt,
  statusAllows,
} from './payment.ts';
import { referenceKey } from './reference-key.ts';

/** Whether a payment to us may be recorded (docs/decisions/0050-money-that-comes.md). Minor units. */

interface ComparedEntry extends StandingEntry {
  readonly method: CashMethod | null;
  readonly reference: string | null;
}

type Application<Entry extends StandingEntry> = PaidApplication<Entry> & {
  readonly invoice: { readonly tag: string };
};

export interface ReceiptFacts<Entry extends ComparedEntry = ComparedEntry> {
  readonly account: Application<Entry>;
  /** Late charges depend on the day on which the money arrived, not on the day of recording. */
  readonly derivation: Derivation;
  /** For a typed receipt: where the same reference already counts. */
  readonly counted?: CountedReference;
  /** For a receipt on one officer's word: how much more may be recorded for this client that way. */
  readonly leftAlone?: number;
}

/** A receipt to record, with the derived entries corrected for it. */
export interface ReceiptDecision<Entry> extends PaymentDecision {
  readonly correction: Correction<Entry>;
}

interface ConsideredReceipt extends ConsideredPayment<Receipt> {
  readonly facts: ReceiptFacts;
}
type ReceiptRule = Rule<ConsideredReceipt>;

/**
 * Officers see every application, so the refusal may name another one. A reversal frees the reference, because the
 * payment must be typed again where it belongs. If a statement has the payment, it is in suspense instead.
 */
const isCountedOnce: ReceiptRule = ({ facts: { account, counted }, payment }) => {
  const refusal = counted && refusalOfReference({ ...payment, applicationTag: account.invoice.tag }, counted);
  return refusal && atField(refusal.code, 'reference', refusal.why);
};

const isNotRecorded: ReceiptRule = ({ facts: { account }, payment }) =>
  account.standing.some((entry) => isSameReceipt(entry, payment))
    ? atField('PAYMENT_RECORDED', 'reference')
    : undefined;

/**
 * Whether an entry is the same receipt, recorded by another officer or in another window. We don't compare amounts: if
 * one reference has two amounts on one day, one of them is a typing error.
 */
function isSameReceipt(entry: ComparedEntry, { kind, method, reference, date, line, transferId }: Receipt): boolean {
  // Receipts from a statement line or a transfer are compared elsewhere (server/statements/counted-once.service.ts).
  if (line !== undefined || transferId !== undefined) return false;
  const isSameReference = referenceKey(entry.reference ?? '') === referenceKey(reference);
  return entry.kind === kind && entry.method === method && entry.date === date && isSameReference;
}

const canBeStored: ReceiptRule = ({ after }) =>
  after.received > MAXIMUM_AMOUNT_MINOR
    ? atField('BAD_REQUEST', 'amount', 'All repayments together can be up to 9,999,999,999,999.99')
    : undefined;

const isWithinInvoice: ReceiptRule = ({ account: { invoice }, payment, after }) =>
  payment.confirmed !== true && after.received > invoice.faceValue ? atField('RECEIPT_LARGE', 'amount') : undefined;

const oneOfficerIsEnough: ReceiptRule = ({ facts: { account, leftAlone }, payment }) => {
  if (leftAlone === undefined || payment.amount <= leftAlone) return undefined;
  const left = `${account.invoice.currencyCode} ${formatAmount(leftAlone)}`;
  return { code: 'RECEIPT_TAKES_TWO', more: `One officer can record up to ${left} more for this client` };
};

const toReceive: readonly ReceiptRule[] = [
  isCountedOnce,
  hasHappened,
  statusAllows,
  isNotRecorded,
  canBeStored,
  isWithinInvoice,
  isNotTooEarly,
  oneOfficerIsEnough,
];

/** The receipt to record, or the reasons against it. */
export function decideReceipt<Entry extends ComparedEntry>(
  facts: ReceiptFacts<Entry>,
  receipt: Receipt,
): Outcome<ReceiptDecision<Entry>> {
  const { account, derivation } = facts;
  const correction = correctionOf(derivation, account.standing, { adds: [receipt] });
  const corrected = { ...account, standing: correction.standing };
  const refusals = refusalsBy(toReceive, { ...consider(corrected, receipt, derivation.today), facts });
  if (refusals.length > 0) return { refusals };
  return { refusals: [], decision: { ...acceptPayment(corrected, receipt), correction } };
}
