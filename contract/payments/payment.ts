import { type Status, type StepName, stepAllowed } from '#contract/applications/lifecycle.ts';
import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import type { NewEntry } from '#contract/journal/entry.ts';
import { restOf } from '#contract/journal/position.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import { atField, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { type Balance, balanceOf, refusalOfEntry, type StandingEntry, stepOfEntry } from './balance.ts';
import { payoutAmount } from './payout-amount.ts';
import type { PaymentBody, ReceiptBody } from './schema.ts';

/** The entries that a payment on an application posts, and the reasons to refuse it. Amounts in minor units. */

/** A payment to the client. */
export type ClientPayment = {
  readonly kind: PayoutKind;
  /** The receiving account, masked. */
  readonly to: string;
} & PaymentBody;

/** A payment to us: recorded by an officer, taken from a statement's line, or from a request to pay. */
export type Receipt = {
  readonly kind: 'receipt';
  readonly line?: { readonly id: number; readonly tag: string };
  readonly transferId?: number;
  /** The sender, masked. */
  readonly from?: string;
} & ReceiptBody;

export type Payment = ClientPayment | Receipt;

/** An application with its entries in force. */
export interface PaidApplication<Entry extends StandingEntry = StandingEntry> {
  readonly invoice: {
    readonly status: Status;
    readonly currencyCode: string;
    readonly faceValue: number;
    readonly case: { readonly decidedAt: Date | null; readonly settledOn: string | null };
  };
  readonly application: { readonly advance: number; readonly netProceeds: number };
  readonly standing: readonly Entry[];
}

/** A payment to record. */
export interface PaymentDecision {
  readonly payment: Payment;
  readonly step: StepName;
  readonly entry: NewEntry;
  /** The entries in force, including this payment. */
  readonly standing: readonly StandingEntry[];
}

/** A payment that was already checked, or that we can't refuse because the money is gone. */
export function acceptPayment(account: PaidApplication, payment: Payment): PaymentDecision {
  const entry = entryOf(account, payment);
  const standing = [...account.standing, entry];
  const after = balanceOf(account.application.advance, standing);
  return { payment, entry, standing, step: stepOfEntry(payment.kind, account.invoice.status, after) };
}

/** A payment with the facts that its rules compare. */
export interface ConsideredPayment<Paid extends Payment = Payment> {
  readonly account: PaidApplication;
  readonly payment: Paid;
  readonly step: StepName;
  /** The balance including the payment. */
  readonly after: Balance;
  /** Today in Kampala. */
  readonly today: string;
}

/** `today` in Kampala. */
export function consider<Paid extends Payment>(
  account: PaidApplication,
  payment: Paid,
  today: string,
): ConsideredPayment<Paid> {
  const after = balanceOf(account.application.advance, [...account.standing, payment]);
  return { account, payment, today, after, step: stepOfEntry(payment.kind, account.invoice.status, after) };
}

type PaymentRule = Rule<ConsideredPayment>;
type ClientPaymentRule = Rule<ConsideredPayment<ClientPayment>>;

export const hasHappened: Rule<{ readonly payment: { readonly date: string }; readonly today: string }> = ({
  payment,
  today,
}) => (isAfter(payment.date, today) ? atField('BAD_REQUEST', 'date', FUTURE_DATE) : undefined);

export const statusAllows: PaymentRule = ({ account: { invoice }, step }) =>
  stepAllowed(step, invoice.status) ? undefined : { code: 'STEP_NOT_ALLOWED' };

/** The payment is not dated before the step that it follows: decision, disbursement or settlement. */
export const isNotTooEarly: PaymentRule = ({ account, payment }) => {
  const earliest = earliestDate(account, payment.kind);
  return earliest === undefined || payment.date >= earliest ? undefined : atField('DATE_TOO_EARLY', 'date');
};

function earliestDate({ invoice, standing }: PaidApplication, kind: Payment['kind']): string | undefined {
  const { decidedAt, settledOn } = invoice.case;
  switch (kind) {
    case 'disbursement':
      return decidedAt === null ? undefined : kampalaDate(decidedAt);
    case 'receipt':
      return standing.find((entry) => entry.kind === 'disbursement')?.date;
    case 'surplus':
      return settledOn ?? undefined;
  }
}

const isDue: ClientPaymentRule = ({ account, payment }) => {
  const before = balanceOf(account.application.advance, account.standing);
  const code = refusalOfEntry(payment, before, sendableOf(account));
  return code && atField(code, 'amount');
};

/** Why a payment to the client cannot be recorded at all. */
export function refusalsOfStep(considered: ConsideredPayment): Refusal[] {
  return refusalsBy([hasHappened, statusAllows], considered);
}

/** Why a payment to the client cannot be recorded with its amount and date. */
export function refusalsOfTerms(considered: ConsideredPayment<ClientPayment>): Refusal[] {
  return refusalsBy([isDue, isNotTooEarly], considered);
}

export interface DuePayout {
  readonly kind: PayoutKind;
  readonly amount: number;
}

/** The payout that we owe an application now; undefined if nothing can be sent. */
export function duePayout(account: PaidApplication): DuePayout | undefined {
  const { invoice, application, standing } = account;
  const ofProceeds = sendableOf(account);
  if (ofProceeds > 0) return { kind: 'disbursement', amount: ofProceeds };
  const owed = invoice.status === 'Settled' ? balanceOf(application.advance, standing).owedToClient : 0;
  const amount = payoutAmount(owed, invoice.currencyCode);
  return amount > 0 ? { kind: 'surplus', amount } : undefined;
}

/** The net proceeds still to send: all of them after the approval; later, the part not yet sent. */
function sendableOf({ invoice: { status, currencyCode }, application, standing }: PaidApplication): number {
  return status === 'Approved' ? payoutAmount(application.netProceeds, currencyCode) : restOf(application, standing);
}

/** The entry of a payment, with the difference between the amounts it sends and settles (`carried`). */
function entryOf({ invoice, application, standing }: PaidApplication, payment: Payment): NewEntry {
  const { kind, amount, date, method, reference } = payment;
  const { advance, netProceeds } = application;
  const before = balanceOf(advance, standing);
  const carried = (): number => {
    switch (kind) {
      case 'receipt':
        return 0;
      case 'surplus':
        return amount - settledSurplus(amount, before, invoice.currencyCode);
      case 'disbursement': // by its first part
        return before.disbursed > 0 ? 0 : payoutAmount(netProceeds, invoice.currencyCode) - netProceeds;
    }
  };
  const entry = {
    kind,
    amount,
    date,
    method,
    reference,
    carried: carried(),
    ...(payment.kind === 'receipt' ? { payer: payment.payer, ...sourceOf(payment) } : {}),
  };
  const { outstanding, lost, owedToClient } = balanceOf(advance, [...standing, entry]);
  const closes = outstanding === 0 && lost === 0 && payoutAmount(owedToClient, invoice.currencyCode) <= 0;
  return kind !== 'disbursement' && closes ? { ...entry, rounded: owedToClient } : entry;
}

/** How much of the surplus a payment settles: all of it, unless the payment is only a part. */
function settledSurplus(amount: number, { owedToClient, surplusOwed }: Balance, currencyCode: string): number {
  return amount < payoutAmount(owedToClient, currencyCode) ? Math.min(amount, surplusOwed) : surplusOwed;
}

function sourceOf({
  line,
  transferId,
}: Receipt): Pick<NewEntry, 'isFromSuspense' | 'lineId' | 'lineTag' | 'transferId'> {
  if (transferId !== undefined) return { transferId };
  return line === undefined ? {} : { isFromSuspense: true, lineId: line.id, lineTag: line.tag };
}
