import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import { type StepName, steps } from '#contract/applications/lifecycle.ts';
import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { formatAmount, MAXIMUM_AMOUNT_MINOR, minorToNumeric } from '#contract/money.ts';
import {
  type Balance,
  balanceOf,
  dueOn,
  refusalOfEntry,
  refusalOfReversal,
  type StandingEntry,
  settledOn,
  stepOfEntry,
  stepOfReversal,
} from '#contract/payments/balance.ts';
import type { PaymentBody, PaymentsReply, ReceiptBody, ReversalBody } from '#contract/payments/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import {
  beginTelling,
  requireStep,
  selectHolidays,
  type Telling,
  takeStep,
} from '#server/applications/steps/steps.service.ts';
import { type Change, changeOnce } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { together } from '#server/db/together.ts';
import { lockCasePeople, requirePayable } from '#server/desk/decisions/approval-checks.service.ts';
import { findUnacknowledged, refuseOpen } from '#server/duplicates/acknowledgements.service.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { findInvoice, type InvoiceRecord, lockCase } from '#server/invoices/invoices.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
import { presentPayments } from './payments.presenter.ts';
import {
  insertEntry,
  type StandingRow,
  selectEntry,
  selectFirstSettled,
  selectLedger,
  selectStanding,
} from './payments.queries.ts';
import { findRecorderRefusal } from './recorders.service.ts';

/** What an officer records. `amount` in minor units. */
export type Payment =
  | ({ readonly kind: 'disbursement' | 'surplus' } & PaymentBody)
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
    const reader = { isStaff: isStaff(caller.person), today: kampalaDate(caller.now) };
    return presentPayments(invoice, await selectLedger(snapshot, invoice.id), reader);
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

/**
 * Records a payment, once per Idempotency-Key. Throws BAD_REQUEST for a date in the future or more than amounts hold;
 * NOT_FOUND, OWN_BUSINESS; STEP_NOT_ALLOWED, PAYMENT_RECORDED; NOT_NET_PROCEEDS, SURPLUS_TOO_LARGE, DATE_TOO_EARLY;
 * NEW_OFFICER, OWN_RECEIPT, OWN_DISBURSEMENT, OWN_SURPLUS and FLAG_OPEN for what is paid out, and what `requirePayable` throws for a payout.
 */
export function recordPayment(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  payment: Payment,
): Promise<Recorded> {
  if (isAfter(payment.date, kampalaDate(caller.now))) throw fieldError('BAD_REQUEST', 'date', FUTURE_DATE);
  return changeOnce(platform, caller, { name: 'recordPayment', input: { tag, payment } }, async (change) => {
    const account = await openAccount(change, caller, tag);
    const standing = [...account.standing, payment];
    const after = balanceOf(account.application.advance, standing);
    const step = stepOfEntry(payment.kind, account.invoice.status, after);
    requireStep(step, account.invoice);
    if (step === 'disburse') lockCasePeople(change, caller, account.invoice);
    const entering = beginEntering(platform, change, caller, account.invoice, step);
    const [, , refusal] = await together(
      requirePayer(platform, change, caller, account.invoice, payment),
      step === 'disburse' && requirePayable(platform, change, caller, account.invoice),
      findRecorderRefusal(change, caller, account.invoice.id, payment.kind),
    );
    if (refusal !== undefined) throw new AppError(refusal);
    refusePayment(account, payment, after);
    return enter(platform, change, caller, account, { ...entering, step, standing, entry: entryOf(payment) });
  });
}

/**
 * Reverses an entry by a counter-entry, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; ALREADY_REVERSED,
 * also for a counter-entry; RECEIPTS_EXIST, SURPLUS_EXISTS.
 */
export function reverseEntry(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  { reason }: ReversalBody,
): Promise<Recorded> {
  return changeOnce(platform, caller, { name: 'reverseEntry', input: { tag, reason } }, async (change) => {
    const found = await selectEntry(change, tag);
    if (found === undefined) throw new AppError('NOT_FOUND');
    const account = await openAccount(change, caller, found.invoiceTag);
    const original = account.standing.find(({ id }) => id === found.id);
    if (original === undefined) throw new AppError('ALREADY_REVERSED');
    const standing = account.standing.filter((entry) => entry !== original);
    const after = balanceOf(account.application.advance, standing);
    const refusal = refusalOfReversal(original.kind, after);
    if (refusal !== undefined) throw new AppError(refusal);
    const step = stepOfReversal(original.kind, account.invoice.status, after);
    const entry = counterEntryOf(original, reason, kampalaDate(caller.now));
    const entering = beginEntering(platform, change, caller, account.invoice, step);
    return enter(platform, change, caller, account, { ...entering, step, standing, entry });
  });
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
    kind === 'disbursement' ? findUnacknowledged(change, invoice) : [],
  );
  refuseOpen(open);
}

/** A locked application, with its entries in force. */
interface Account {
  readonly invoice: InvoiceRecord;
  readonly application: NonNullable<InvoiceRecord['application']>;
  readonly standing: readonly StandingRow[];
}

async function openAccount(change: Change, caller: SignedInCaller, tag: string): Promise<Account> {
  const [invoice, standing] = await together(
    lockCase(change, caller, tag),
    selectStanding(change, tag),
    selectHolidays(change), // for the step
  );
  const { application } = invoice;
  // Always set after Draft: the constraint invoices_submitted_whole.
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  return { invoice, application, standing };
}

function refusePayment({ invoice, application, standing }: Account, payment: Payment, after: Balance): void {
  if (standing.some((entry) => isSamePayment(entry, payment))) throw fieldError('PAYMENT_RECORDED', 'reference');
  const before = balanceOf(application.advance, standing);
  const refusal = refusalOfEntry(payment, before, application.netProceeds);
  if (refusal !== undefined) throw fieldError(refusal, 'amount');
  if (after.received > MAXIMUM_AMOUNT_MINOR) {
    throw fieldError('BAD_REQUEST', 'amount', 'All repayments together can be up to 9,999,999,999,999.99');
  }
  const earliest = earliestDate(invoice, standing, payment.kind);
  if (earliest !== undefined && payment.date < earliest) throw fieldError('DATE_TOO_EARLY', 'date');
}

/**
 * Whether an entry is the same payment recorded again, by another officer or from another window. Amounts are not
 * compared: of two amounts for one reference on one day, one is a typing error.
 */
function isSamePayment(entry: StandingRow, { kind, method, reference, date }: Payment): boolean {
  const isSameReference = referenceKey(entry.reference) === referenceKey(reference);
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

type NewEntry = Omit<Parameters<typeof insertEntry>[1], 'invoice_id' | 'recorded_at' | 'recorded_by' | 'amount'> & {
  /** Minor units. */
  readonly amount: number;
};

function entryOf(payment: Payment): NewEntry {
  const { kind, amount, date: paid_on, method, reference } = payment;
  return { kind, amount, paid_on, method, reference, payer: payment.kind === 'receipt' ? payment.payer : null };
}

function counterEntryOf(original: StandingRow, reason: string, today: string): NewEntry {
  const { id: reverses, kind, method, reference, payer } = original;
  return { kind, amount: -original.amount, paid_on: today, method, reference, payer, reverses, reason };
}

/** The effect of an entry: its step, and the entries in force with it. */
interface Entering {
  readonly step: StepName;
  readonly standing: readonly StandingEntry[];
  readonly entry: NewEntry;
  /** When a settlement that is recorded again was first recorded. */
  readonly firstSettledAt: Promise<Date | undefined>;
  readonly telling: Promise<Telling>;
}

/** Asks for what the step of an entry takes, together with the reads that decide about it. */
function beginEntering(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  step: StepName,
): Pick<Entering, 'firstSettledAt' | 'telling'> {
  const firstSettledAt =
    steps[step].to === 'Settled' ? selectFirstSettled(change, invoice.id) : Promise.resolve(undefined);
  firstSettledAt.catch(() => undefined); // what refuses the entry may be told first
  return { firstSettledAt, telling: beginTelling(platform, change, caller, invoice, step) };
}

async function enter(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  { invoice, application }: Account,
  { step, standing, entry, firstSettledAt, telling }: Entering,
): Promise<Recorded> {
  const after = balanceOf(application.advance, standing);
  // A settlement that is recorded again counts towards a higher limit once, if it counted at first.
  const set = columnsOf({ invoice, application, standing }, step, (await firstSettledAt) ?? caller.now);
  const tag = randomUUID();
  insertEntry(change, {
    ...entry,
    tag,
    amount: minorToNumeric(entry.amount),
    invoice_id: invoice.id,
    recorded_at: caller.now,
    recorded_by: caller.person.id,
  });
  const amount = Math.abs(entry.amount);
  const { outstanding, surplusOwed } = after;
  await takeStep(platform, change, caller, invoice, step, {
    set,
    note: `${invoice.currencyCode} ${formatAmount(amount)}`,
    audit: { entry: { tag, ...entry }, balance: after },
    telling,
    news: { amount, outstanding, surplusOwed, ...(set.due_on ? { dueOn: set.due_on } : {}) },
  });
  return { tag };
}

/** The columns of the invoice that follow from its entries in force. */
function columnsOf(
  { invoice, application, standing }: Omit<Account, 'standing'> & Pick<Entering, 'standing'>,
  step: StepName,
  settledAt: Date,
): Updateable<Tables['invoices']> {
  const { to } = steps[step];
  const { outstanding, surplusOwed } = balanceOf(application.advance, standing);
  return {
    due_on: dueOn(application.tenorDays, standing),
    outstanding: to === 'Approved' ? null : minorToNumeric(outstanding),
    surplus_owed: minorToNumeric(surplusOwed),
    settled_on: settledOn(application.advance, standing),
    ...(to === invoice.status ? {} : { settled_at: to === 'Settled' ? settledAt : null }),
  };
}
