import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import {
  type Balance,
  balanceOf,
  refusalOfEntry,
  type StandingEntry,
  stepOfEntry,
} from '#contract/payments/balance.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import type { PaymentBody, PaymentsReply, ReceiptBody } from '#contract/payments/schema.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { requireStep } from '#server/applications/steps/steps.service.ts';
import { type Change, changeOnce } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { lockCasePeople, requirePayable } from '#server/desk/decisions/approval-checks.service.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { findInvoice, type InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { findStandingOf, type NewEntry, postEntry, type StandingRow } from '#server/journal/journal.service.ts';
import { selectOpenProposal } from '#server/payments/write-offs/write-offs.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
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
  | ({ readonly kind: 'receipt' } & ReceiptBody);

/** The entry that was added. */
interface Recorded {
  readonly tag: string;
}

/** The payments on an application of the caller's own, for staff on any. Throws NOT_FOUND. */
export async function listPayments(platform: Platform, caller: SignedInCaller, tag: string): Promise<PaymentsReply> {
  // One snapshot for both: an entry recorded in between would contradict the invoice's due date and status.
  const read = async (snapshot: Connection): Promise<PaymentsReply> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const reader = { isStaff: isStaff(caller.person), personId: caller.person.id, today: kampalaDate(caller.now) };
    const [ledger, writeOff] = await together(
      selectLedger(snapshot, invoice.id),
      reader.isStaff ? selectOpenProposal(snapshot, invoice.id) : undefined,
    );
    return presentPayments(invoice, { ledger, writeOff }, reader);
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

/** Records what was paid to us, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS and what {@link beginPayment} throws. */
export function recordReceipt(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  receipt: ReceiptBody,
): Promise<Recorded> {
  const payment = { kind: 'receipt', ...receipt } as const;
  return changeOnce(platform, caller, { name: 'recordPayment', input: { tag, payment } }, async (change) => {
    const account = await openAccount(change, caller, tag);
    return (await beginPayment(platform, change, caller, account, payment))();
  });
}

/**
 * Checks a payment on a locked application; the function that it returns records it. Throws BAD_REQUEST for a date in the
 * future or more than amounts hold; STEP_NOT_ALLOWED, PAYMENT_RECORDED, RECEIPT_LARGE; NOT_NET_PROCEEDS, SURPLUS_TOO_LARGE, DATE_TOO_EARLY;
 * NEW_OFFICER, OWN_RECEIPT, OWN_DISBURSEMENT, OWN_SURPLUS and FLAG_OPEN for what is paid out, and what `requirePayable` throws for a payout.
 */
export async function beginPayment(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  account: Account,
  payment: Payment,
): Promise<() => Promise<Recorded>> {
  if (isAfter(payment.date, kampalaDate(caller.now))) throw fieldError('BAD_REQUEST', 'date', FUTURE_DATE);
  const after = balanceOf(account.application.advance, [...account.standing, payment]);
  const step = stepOfEntry(payment.kind, account.invoice.status, after);
  requireStep(step, account.invoice);
  if (step === 'disburse') lockCasePeople(change, caller, account.invoice);
  const entering = beginEntering(platform, change, caller, account.invoice, step);
  // Sent first: the businesses are locked before flags about them are read.
  const payable = step === 'disburse' && requirePayable(platform, change, caller, account.invoice);
  const [, , refusal] = await together(
    requirePayer(platform, change, caller, account.invoice, payment),
    payable,
    findRecorderRefusal(change, caller, account.invoice, payment.kind),
  );
  if (refusal !== undefined) throw new AppError(refusal);
  refusePayment(account, payment, after);
  return () => enterPayment(platform, change, caller, account, { payment, entering });
}

interface Checked {
  readonly payment: Payment;
  /** What {@link beginEntering} asked for, where it has been. */
  readonly entering?: ReturnType<typeof beginEntering>;
}

/** Records a payment that was checked, with its step. */
export function enterPayment(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  account: Account,
  { payment, entering }: Checked,
): Promise<Recorded> {
  const entry = entryOf(account, payment);
  const standing = [...account.standing, entry];
  const after = balanceOf(account.application.advance, standing);
  const step = stepOfEntry(payment.kind, account.invoice.status, after);
  return enter(platform, change, caller, account, {
    ...(entering ?? beginEntering(platform, change, caller, account.invoice, step)),
    step,
    standing,
    entry: postEntry(change, caller, account, account.standing, entry),
    to: payment.kind === 'receipt' ? undefined : payment.to,
  });
}

interface DuePayout {
  readonly kind: PayoutKind;
  /** Minor units. */
  readonly amount: number;
}

/** What an application is owed by us now, and as what; undefined if nothing that can be sent. */
export function duePayout({ invoice, application, standing }: Omit<Account, 'holidays'>): DuePayout | undefined {
  const { status, currencyCode } = invoice;
  const kind = status === 'Approved' ? 'disbursement' : 'surplus';
  const owed = status === 'Approved' ? application.netProceeds : balanceOf(application.advance, standing).owedToClient;
  const amount = status === 'Approved' || status === 'Settled' ? payoutAmount(owed, currencyCode) : 0;
  return amount > 0 ? { kind, amount } : undefined;
}

/** The same of an application that is not locked. */
export async function findDuePayout(connection: Connection, invoice: InvoiceRecord): Promise<DuePayout | undefined> {
  const { application } = invoice;
  if (application === null) return undefined;
  return duePayout({ invoice, application, standing: await findStandingOf(connection, invoice.tag) });
}

/** Throws NEW_OFFICER if a new officer pays out, and FLAG_OPEN for a disbursement with an open flag. */
async function requirePayer(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  { kind }: Payment,
): Promise<void> {
  if (kind === 'receipt') return;
  const [, open] = await together(
    requireStanding(platform, change, caller),
    kind === 'disbursement' ? findUnacknowledged(platform, change, caller, invoice) : [],
  );
  refuseOpen(open);
}

function refusePayment({ invoice, application, standing }: Account, payment: Payment, after: Balance): void {
  if (standing.some((entry) => isSamePayment(entry, payment))) throw fieldError('PAYMENT_RECORDED', 'reference');
  const before = balanceOf(application.advance, standing);
  const refusal = refusalOfEntry(payment, before, payoutAmount(application.netProceeds, invoice.currencyCode));
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
 * Whether an entry is the same payment recorded again, by another officer or from another window. Amounts are not
 * compared: of two amounts for one reference on one day, one is a typing error.
 */
function isSamePayment(entry: StandingRow, { kind, method, reference, date }: Payment): boolean {
  const isSameReference = referenceKey(entry.reference ?? '') === referenceKey(reference);
  return entry.kind === kind && entry.method === method && entry.date === date && isSameReference;
}

/** A reference for comparison: people write the bank's reference differently. */
function referenceKey(reference: string): string {
  return reference.replaceAll(/\s/g, '').toLowerCase();
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

/** What of the surplus a payment settles: all of it, but for a part, which leaves the rest owed; see `carried`. */
function settledSurplus(amount: number, { owedToClient, surplusOwed }: Balance, currencyCode: string): number {
  return amount < payoutAmount(owedToClient, currencyCode) ? Math.min(amount, surplusOwed) : surplusOwed;
}

/** The entry of a payment: what it sends above or below what it settles, and what of the client's is rounded by it. */
function entryOf({ invoice, application, standing }: Account, payment: Payment): NewEntry {
  const { kind, amount, date, method, reference } = payment;
  const { advance, netProceeds } = application;
  const before = balanceOf(advance, standing);
  const settles = kind === 'disbursement' ? netProceeds : settledSurplus(amount, before, invoice.currencyCode);
  const entry = {
    ...{ kind, amount, date, method, reference },
    carried: kind === 'receipt' ? 0 : amount - settles,
    payer: payment.kind === 'receipt' ? payment.payer : null,
  };
  const { outstanding, lost, owedToClient } = balanceOf(advance, [...standing, entry]);
  const closes = outstanding === 0 && lost === 0 && payoutAmount(owedToClient, invoice.currencyCode) <= 0;
  return kind !== 'disbursement' && closes ? { ...entry, rounded: owedToClient } : entry;
}
