import type { Updateable } from 'kysely';
import { type StepName, steps } from '#contract/applications/lifecycle.ts';
import { restOf } from '#contract/journal/position.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { balanceOf, dueOn, paidOutOn, type StandingEntry, settledOn } from '#contract/payments/balance.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import type { Holidays } from '#contract/time/working-time.ts';
import { beginTelling, selectHolidays, type Telling, takeStep } from '#server/applications/steps/steps.service.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import type { Change } from '#server/db/change.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { together } from '#server/db/together.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Actor, SignedInCaller } from '#server/http/http.ts';
import { type InvoiceRecord, lockCase, lockForSweep } from '#server/invoices/invoices.service.ts';
import { findStandingOf, type StandingRow, type TellingEntry } from '#server/journal/journal.service.ts';
import { dropProposal, type OpenProposal, selectOpenProposal } from '#server/payments/write-offs/write-offs.queries.ts';
import type { Platform } from '#server/platform.ts';
import { selectFirstSettled } from './payments.queries.ts';

/** The step that an entry of the journal takes, and what follows from it on the invoice's row. */

/** A locked application, with its entries in force. */
export interface Account {
  readonly invoice: InvoiceRecord;
  readonly application: NonNullable<InvoiceRecord['application']>;
  readonly standing: readonly StandingRow[];
  readonly holidays: Holidays;
}

/** Locks an application for an officer's payment. Throws NOT_FOUND, OWN_BUSINESS. */
export function openAccount(change: Change, caller: SignedInCaller, tag: string): Promise<Account> {
  return readAccount(change, tag, lockCase(change, caller, tag));
}

/** The same for what Kasente does by itself. Throws NOT_FOUND. */
export function openForKasente(change: Change, tag: string): Promise<Account> {
  return readAccount(change, tag, lockForSweep(change, tag));
}

/** The same of an application that is locked, or is being locked. Throws NOT_FOUND where there is none. */
export async function readAccount(
  change: Change,
  tag: string,
  locked: InvoiceRecord | Promise<InvoiceRecord | undefined>,
): Promise<Account> {
  const [invoice, standing, holidays] = await together(locked, findStandingOf(change, tag), selectHolidays(change));
  if (invoice === undefined) throw new AppError('NOT_FOUND');
  const { application } = invoice;
  // Always set after Draft: the constraint invoices_submitted_whole.
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  return { invoice, application, standing, holidays };
}

/** What the step of an entry takes. */
export interface Entering {
  /** When a settlement that is recorded again was first recorded. */
  readonly firstSettledAt: Date | undefined;
  /** A write-off that waits, where nothing is left to be written off. */
  readonly proposal: OpenProposal | undefined;
  readonly telling: Telling;
}

/** The effect of an entry: its step, and the entries in force with it. */
export interface Entered extends Entering {
  readonly step: StepName;
  readonly standing: readonly StandingEntry[];
  readonly entry: TellingEntry;
  /** Where it went, or where it came from, masked. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  /** By how much more time costs more without what is reversed. */
  readonly addedFee?: number | undefined;
  /** Whether an offer of more time ends with it. */
  readonly offerEnded?: boolean;
}

/**
 * Asks for what the step of an entry takes, together with the reads that decide about it. It is awaited before the entry
 * is posted, so that all writes go with the COMMIT.
 */
export function beginEntering(
  platform: Platform,
  change: Change,
  caller: Actor,
  invoice: InvoiceRecord,
  step: StepName,
): Promise<Entering> {
  const { to } = steps[step];
  const entering = together(
    to === 'Settled' ? selectFirstSettled(change, invoice.id) : undefined,
    to === 'Disbursed' ? undefined : selectOpenProposal(change, invoice.id),
    beginTelling(platform, change, caller, invoice, step),
  ).then(([firstSettledAt, proposal, telling]) => ({ firstSettledAt, proposal, telling }));
  entering.catch(() => undefined); // what refuses the entry may be told first
  return entering;
}

/** Takes the step of an entry that was posted. */
export async function enter(
  platform: Platform,
  change: Change,
  caller: Actor,
  { invoice, application, holidays }: Omit<Account, 'standing'>,
  { step, standing, entry, firstSettledAt, proposal, telling, to, from, addedFee, offerEnded = false }: Entered,
): Promise<{ readonly tag: string }> {
  const after = balanceOf(application.advance, standing);
  // A settlement that is recorded again counts towards a higher limit once, if it counted at first.
  const set = columnsOf({ invoice, application, standing, holidays }, step, firstSettledAt ?? caller.now);
  const amount = Math.abs(entry.amount);
  // A client still owes what was written off.
  const outstanding = after.outstanding + after.lost;
  const { surplusOwed } = after;
  const { currencyCode } = invoice;
  const rest = step === 'paySurplus' ? payoutAmount(after.owedToClient, currencyCode) : restOf(application, standing);
  await endReminders(change, invoice);
  if (proposal !== undefined) dropProposal(change, caller, invoice, proposal);
  await takeStep(platform, change, caller, invoice, step, {
    set,
    note: [`${currencyCode} ${formatAmount(amount)}`, to && `to ${to}`, from && `from ${from}`]
      .filter((part) => part !== undefined)
      .join(' '),
    audit: { entry, balance: after, dueOn: set.due_on },
    telling,
    news: {
      amount,
      outstanding,
      surplusOwed,
      rest,
      to,
      addedFee,
      offerEnded,
      ...(set.due_on ? { dueOn: set.due_on } : {}),
    },
  });
  return { tag: entry.tag };
}

/** The columns of the invoice that follow from its entries in force. */
function columnsOf(
  { invoice, application, standing, holidays }: Omit<Account, 'standing'> & Pick<Entered, 'standing'>,
  step: StepName,
  settledAt: Date,
): Updateable<Tables['invoices']> {
  const { to } = steps[step];
  const { outstanding, surplusOwed } = balanceOf(application.advance, standing);
  return {
    // What people were told stays, whatever is announced as a holiday since.
    due_on: to === 'Approved' ? null : (invoice.case.dueOn ?? dueOn(application.tenorDays, standing, holidays)),
    paid_out_on: paidOutOn(standing),
    ...(to === 'Approved' ? { fee_earned_until: null } : {}),
    outstanding: to === 'Approved' ? null : minorToNumeric(outstanding),
    surplus_owed: minorToNumeric(surplusOwed),
    settled_on: settledOn(application.advance, standing),
    ...(to === invoice.status ? {} : { settled_at: to === 'Settled' ? settledAt : null }),
  };
}
