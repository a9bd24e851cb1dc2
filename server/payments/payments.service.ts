import type { StepName } from '#contract/applications/lifecycle.ts';
import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { restOf } from '#contract/journal/position.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import {
  type Balance,
  balanceOf,
  refusalOfEntry,
  type StandingEntry,
  stepOfEntry,
} from '#contract/payments/balance.ts';
import { correctionOf } from '#contract/payments/derived/derived.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import type { PaymentBody, PaymentsReply, ReceiptBody } from '#contract/payments/schema.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { requirePayable } from '#server/approvals/approval-checks.service.ts';
import { lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Actor } from '#server/calls/caller.ts';
import { changeOnce } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice } from '#server/invoices/invoices.service.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { type NewEntry, postEntry } from '#server/journal/journal.service.ts';
import { findCounted, refuseCounted } from '#server/payments/arrived/arrived.service.ts';
import { findDerivation, writeCorrection } from '#server/payments/derived/derived.service.ts';
import { refuseAlone } from '#server/payments/proposals/alone.service.ts';
import { selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { requireStep } from '#server/steps/steps.service.ts';
import { type Account, beginEntering, enter, openAccount } from './entries.service.ts';
import { presentPayments } from './payments.presenter.ts';
import { selectLedger } from './payments.queries.ts';
import { findRecorderRefusal } from './recorders.service.ts';

/** What an officer records. `amount` in minor units. */
export type Payment =
  | ({
      readonly kind: 'disbursement' | 'surplus';
      /** The account that it went to, masked. */
      readonly to: string;
    } & PaymentBody)
  | Receipt;

/** A payment to us: recorded by an officer, taken from a statement's line, or from a request to pay. */
export type Receipt = {
  readonly kind: 'receipt';
  readonly line?: { readonly id: number; readonly tag: string };
  readonly transferId?: number;
  /** Who sent it, masked. */
  readonly from?: string;
} & ReceiptBody;

/** The entry that was added. */
interface Recorded {
  readonly tag: string;
}

/** The payments on an application of the caller's own, for staff on any. Throws NOT_FOUND. */
export async function listPayments({ platform, caller }: Context, tag: string): Promise<PaymentsReply> {
  // Both in one snapshot: an entry recorded in between would contradict the invoice's due date and status.
  const read = async (snapshot: Connection): Promise<PaymentsReply> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const reader = { isStaff: isStaff(caller.person), personId: caller.person.id, today: kampalaDate(caller.now) };
    const [ledger, proposal] = await together(
      selectLedger(snapshot, invoice.id, reader),
      reader.isStaff ? selectOpenProposal(snapshot, invoice.id) : undefined,
    );
    return presentPayments(invoice, { ledger, proposal }, reader);
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

/**
 * Records a payment to us, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER; PAYMENT_RECORDED,
 * REFERENCE_USED; what {@link beginReceipt} throws; and RECEIPT_TAKES_TWO.
 */
export function recordReceipt(context: Context, tag: string, receipt: ReceiptBody): Promise<Recorded> {
  const payment = { kind: 'receipt', ...receipt } as const;
  return changeOnce(context, { name: 'recordPayment', input: { tag, payment } }, async (work) => {
    const [account, , counted] = await together(
      openAccount(work, tag),
      requireStanding(work),
      findCounted(work.change, receipt),
    );
    const { invoice } = account;
    refuseCounted({ ...receipt, applicationTag: invoice.tag }, counted);
    const record = await beginReceipt(work, account, payment);
    await refuseAlone(context.platform, work.change, invoice, { amount: receipt.amount, now: context.caller.now });
    return record();
  });
}

/**
 * Checks a payment to the client on a locked application, as {@link checkPayment}; returns the function that records it.
 * Reads what messages need together with what the check needs.
 */
export async function beginPayment(
  work: Work,
  account: Account,
  payment: Exclude<Payment, Receipt>,
): Promise<() => Promise<Recorded>> {
  let entering: ReturnType<typeof beginEntering> | undefined;
  await checkPayment(work, account, payment, (step) => {
    entering = beginEntering(work, account.invoice, step);
  });
  return () => enterPayment(work, account, { payment, ...(entering && { entering }) });
}

/**
 * Checks a payment to the client on a locked application; `onStep` gets its step before the check waits, to send what does
 * not depend on it. Throws BAD_REQUEST for a date in the future or more than amounts hold; STEP_NOT_ALLOWED, PAYMENT_RECORDED;
 * NOT_NET_PROCEEDS, SURPLUS_TOO_LARGE, DATE_TOO_EARLY; NEW_OFFICER, OWN_RECEIPT, OWN_DISBURSEMENT, OWN_SURPLUS and FLAG_OPEN,
 * and what `requirePayable` throws.
 */
export async function checkPayment(
  work: Work,
  account: Account,
  payment: Exclude<Payment, Receipt>,
  onStep: (step: StepName) => void = () => undefined,
): Promise<void> {
  const { change, caller } = work;
  const { step, after } = stepAndBalance(caller, account, payment);
  if (step === 'disburse') lockCasePeople(work, account.invoice);
  onStep(step);
  // Sent first, to lock the businesses before reading flags about them.
  const payable = step === 'disburse' && requirePayable(work, account.invoice);
  const [, , refusal] = await together(
    requirePayer(work, account.invoice),
    payable,
    findRecorderRefusal(change, caller, account.invoice, payment.kind),
  );
  if (refusal !== undefined) throw new AppError(refusal);
  refusePayment(account, payment, after);
}

/**
 * Checks a payment to us on a locked application that was read before; returns the function that records it. Throws
 * BAD_REQUEST for a date in the future or more than amounts hold; STEP_NOT_ALLOWED, PAYMENT_RECORDED, RECEIPT_LARGE,
 * DATE_TOO_EARLY.
 */
export async function beginReceipt(
  work: Work<Actor>,
  opened: Account,
  receipt: Receipt,
): Promise<() => Promise<Recorded>> {
  // Late charges depend on when money came in, not on when it was recorded.
  const { change, caller } = work;
  const derivation = await findDerivation(change, caller.now, opened);
  const correction = correctionOf(derivation, opened.standing, { adds: [receipt] });
  const account = { ...opened, standing: correction.standing };
  const { after } = stepAndBalance(caller, account, receipt);
  refuseRecorded(opened, receipt);
  refusePayment(account, receipt, after);
  return () => {
    writeCorrection(change, caller.now, opened, correction);
    return enterPayment(work, account, { payment: receipt });
  };
}

/** Records a payment to us on a locked application that was read before. Throws what {@link beginReceipt} throws. */
export async function receive(work: Work<Actor>, opened: Account, receipt: Receipt): Promise<Recorded> {
  const record = await beginReceipt(work, opened, receipt);
  return record();
}

/** The step of a payment, and the balance after it. */
function stepAndBalance({ now }: Actor, { invoice, application, standing }: Account<StandingEntry>, payment: Payment) {
  if (isAfter(payment.date, kampalaDate(now))) throw fieldError('BAD_REQUEST', 'date', FUTURE_DATE);
  const after = balanceOf(application.advance, [...standing, payment]);
  const step = stepOfEntry(payment.kind, invoice.status, after);
  requireStep(step, invoice);
  return { step, after };
}

interface Checked {
  readonly payment: Payment;
  /** The reads of {@link beginEntering}, if they were sent already. */
  readonly entering?: ReturnType<typeof beginEntering>;
}

/** Records a checked payment, with its step. */
export async function enterPayment(
  work: Work<Actor>,
  account: Account<StandingEntry>,
  { payment, entering }: Checked,
): Promise<Recorded> {
  const entry = entryOf(account, payment);
  const standing = [...account.standing, entry];
  const after = balanceOf(account.application.advance, standing);
  const step = stepOfEntry(payment.kind, account.invoice.status, after);
  const asked = await (entering ?? beginEntering(work, account.invoice, step));
  return enter(work, account, {
    ...asked,
    step,
    standing,
    entry: postEntry(work.change, work.caller, account, account.standing, entry),
    ...(payment.kind === 'receipt' ? { from: payment.from } : { to: payment.to }),
  });
}

interface DuePayout {
  readonly kind: PayoutKind;
  /** Minor units. */
  readonly amount: number;
}

/** The payout that we owe an application now; undefined if nothing can be sent. */
export function duePayout({ invoice, application, standing }: Owing): DuePayout | undefined {
  const { status, currencyCode } = invoice;
  const ofProceeds = sendableOf({ invoice, application, standing });
  if (ofProceeds > 0) return { kind: 'disbursement', amount: ofProceeds };
  const owed = status === 'Settled' ? balanceOf(application.advance, standing).owedToClient : 0;
  const amount = payoutAmount(owed, currencyCode);
  return amount > 0 ? { kind: 'surplus', amount } : undefined;
}

type Owing = Pick<Account<StandingEntry>, 'invoice' | 'application' | 'standing'>;

/** The part of the net proceeds still to send: all of it after the approval, later what no part has sent. */
function sendableOf({ invoice: { status, currencyCode }, application, standing }: Owing): number {
  return status === 'Approved' ? payoutAmount(application.netProceeds, currencyCode) : restOf(application, standing);
}

/** The same of an application that is not locked. */
export async function findDuePayout(connection: Connection, invoice: InvoiceRecord): Promise<DuePayout | undefined> {
  const { application } = invoice;
  if (application === null) return undefined;
  return duePayout({ invoice, application, standing: await selectStanding(connection, invoice.tag) });
}

/** Throws NEW_OFFICER if a new officer pays out, and FLAG_OPEN for a payout with an open flag. */
async function requirePayer(work: Work, invoice: InvoiceRecord): Promise<void> {
  const [, open] = await together(requireStanding(work), findUnacknowledged(work, invoice));
  refuseOpen(open);
}

function refuseRecorded({ standing }: Account, receipt: Receipt): void {
  if (standing.some((entry) => isSameReceipt(entry, receipt))) throw fieldError('PAYMENT_RECORDED', 'reference');
}

function refusePayment({ invoice, application, standing }: Owing, payment: Payment, after: Balance): void {
  const before = balanceOf(application.advance, standing);
  const refusal = refusalOfEntry(payment, before, sendableOf({ invoice, application, standing }));
  if (refusal !== undefined) throw fieldError(refusal, 'amount');
  if (after.received > MAXIMUM_AMOUNT_MINOR) {
    throw fieldError('BAD_REQUEST', 'amount', 'All repayments together can be up to 9,999,999,999,999.99');
  }
  const isLarge = payment.kind === 'receipt' && payment.confirmed !== true && after.received > invoice.faceValue;
  if (isLarge) throw fieldError('RECEIPT_LARGE', 'amount');
  const earliest = earliestDate(invoice, standing, payment.kind);
  if (earliest !== undefined && payment.date < earliest) throw fieldError('DATE_TOO_EARLY', 'date');
}

/**
 * Whether an entry is the same receipt, recorded by another officer or in another window. Amounts are not compared: of two
 * amounts for one reference on one day, one is a typing error. Payments out: `refuseUsedReference`.
 */
function isSameReceipt(entry: StandingRow, receipt: Receipt): boolean {
  const { kind, method, reference, date } = receipt;
  // A line or a transfer is compared with what is counted elsewhere (server/statements/counted-once.service.ts).
  if (receipt.line !== undefined || receipt.transferId !== undefined) return false;
  const isSameReference = referenceKey(entry.reference ?? '') === referenceKey(reference);
  return entry.kind === kind && entry.method === method && entry.date === date && isSameReference;
}

/** The day of the step before the payment: decision, disbursement or settlement. */
function earliestDate(
  { case: { decidedAt, settledOn: settled } }: InvoiceRecord,
  standing: readonly StandingEntry[],
  kind: Payment['kind'],
): string | undefined {
  switch (kind) {
    case 'disbursement':
      return decidedAt === null ? undefined : kampalaDate(decidedAt);
    case 'receipt':
      return standing.find((entry) => entry.kind === 'disbursement')?.date;
    case 'surplus':
      return settled ?? undefined;
  }
}

/** How much of the surplus a payment settles: all of it, unless it is a part. */
function settledSurplus(amount: number, { owedToClient, surplusOwed }: Balance, currencyCode: string): number {
  return amount < payoutAmount(owedToClient, currencyCode) ? Math.min(amount, surplusOwed) : surplusOwed;
}

/** The entry of a payment, with what it sends above or below what it settles (`carried`). */
function entryOf({ invoice, application, standing }: Owing, payment: Payment): NewEntry {
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
    ...{ kind, amount, date, method, reference },
    carried: carried(),
    ...(payment.kind === 'receipt' ? { payer: payment.payer, ...cameBy(payment) } : {}),
  };
  const { outstanding, lost, owedToClient } = balanceOf(advance, [...standing, entry]);
  const closes = outstanding === 0 && lost === 0 && payoutAmount(owedToClient, invoice.currencyCode) <= 0;
  return kind !== 'disbursement' && closes ? { ...entry, rounded: owedToClient } : entry;
}

function cameBy({ line, transferId }: Receipt): Pick<NewEntry, 'isFromSuspense' | 'lineId' | 'lineTag' | 'transferId'> {
  if (transferId !== undefined) return { transferId };
  return line === undefined ? {} : { isFromSuspense: true, lineId: line.id, lineTag: line.tag };
}
