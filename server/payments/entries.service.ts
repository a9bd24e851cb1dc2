import type { Updateable } from 'kysely';
import { type StepName, statusAfter } from '#contract/applications/lifecycle.ts';
import { restOf } from '#contract/journal/position.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import {
  balanceOf,
  dueOn,
  type EntryKind,
  paidOutOn,
  type StandingEntry,
  settledOn,
} from '#contract/payments/balance.ts';
import { isDerived } from '#contract/payments/derived/derived.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { isMoot } from '#contract/payments/proposals.ts';
import type { Holidays } from '#contract/time/working-time.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { gather } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockCase, lockForSweep } from '#server/invoices/invoices.service.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import type { TellingEntry } from '#server/journal/journal.service.ts';
import { dropProposal, type OpenProposal, selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { beginTelling, type Telling, takeStep } from '#server/steps/steps.service.ts';
import { selectFirstSettled } from './payments.queries.ts';

/** Takes the step that belongs to a journal entry, and updates the invoice's row. */

/** A locked application with its entries in force: as stored, or with entries that are about to be stored. */
export interface Account<Entry extends StandingEntry = StandingRow> {
  readonly invoice: InvoiceRecord;
  readonly application: NonNullable<InvoiceRecord['application']>;
  readonly standing: readonly Entry[];
  readonly holidays: Holidays;
}

/** Locks an application for an officer's payment. Throws NOT_FOUND, OWN_BUSINESS. */
export function openAccount(work: Changing, tag: string): Promise<Account> {
  return readAccount(work.change, tag, lockCase(work, tag));
}

/** Locks an application for a background job. Throws NOT_FOUND. */
export function openForKasente(change: Change, tag: string): Promise<Account> {
  return readAccount(change, tag, lockForSweep(change, tag));
}

/** Reads the account of an application that is locked or being locked. Throws NOT_FOUND if there is none. */
export async function readAccount(
  change: Change,
  tag: string,
  locked: InvoiceRecord | Promise<InvoiceRecord | undefined>,
): Promise<Account> {
  const { invoice, ...found } = await gather({
    invoice: locked,
    standing: selectStanding(change, tag),
    holidays: selectHolidays(change),
  });
  if (invoice === undefined) throw new AppError('NOT_FOUND');
  const { application } = invoice;
  // Set for every status after Draft, by the constraint invoices_submitted_whole.
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  return { ...found, invoice, application };
}

/** The facts that an entry's step depends on, besides the entry. */
export interface EntryFacts {
  /** When the application was first settled, even if that was reversed since. */
  readonly firstSettledAt: Date | undefined;
  readonly proposal: OpenProposal | undefined;
  readonly telling: Telling;
}

/** An entry to take the step of, and the entries in force with it. */
interface Entered {
  readonly facts: EntryFacts;
  readonly step: StepName;
  readonly standing: readonly StandingEntry[];
  readonly entry: TellingEntry;
  /** The account that the money went to or came from, masked. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  /** How much more the extensions cost once the receipt is reversed. */
  readonly addedFee?: number | undefined;
  /** Whether it ends an offer of more time. */
  readonly offerEnded?: boolean;
}

/** One step for each kind of payment, to look up recipients: all steps of one kind notify the same people. */
const toldLike = { disbursement: 'disburse', receipt: 'settle', surplus: 'paySurplus' } as const;

/** Reads the facts for an entry's step. They are the same for every payment or reversal step of that kind. */
export function findEntryFacts(work: Work<Actor>, invoice: InvoiceRecord, kind: EntryKind): Promise<EntryFacts> {
  return gather({
    firstSettledAt: selectFirstSettled(work.change, invoice.id),
    proposal: selectOpenProposal(work.change, invoice.id),
    telling: beginTelling(work, invoice, toldLike[kind]),
  });
}

/** Takes the step of an entry that was just posted. */
export async function enter(
  work: Work<Actor>,
  { invoice, application, holidays }: Omit<Account, 'standing'>,
  { facts, step, standing, entry, to, from, addedFee, offerEnded = false }: Entered,
): Promise<{ readonly tag: string }> {
  const after = balanceOf(application.advance, standing);
  // Only the first settlement raises the limit; recording it again does not.
  const set = columnsOf({ invoice, application, standing, holidays }, step, facts.firstSettledAt ?? work.caller.now);
  const amount = isDerived(entry) ? undefined : Math.abs(entry.amount);
  // The client still owes what was written off.
  const outstanding = after.outstanding + after.lost;
  const { surplusOwed } = after;
  const { currencyCode } = invoice;
  const rest = step === 'paySurplus' ? payoutAmount(after.owedToClient, currencyCode) : restOf(application, standing);
  await endReminders(work.change, invoice);
  const { proposal, telling } = facts;
  if (proposal !== undefined && isMoot(proposal.kind, statusAfter(step, invoice.status)))
    dropProposal(work, invoice, proposal);
  await takeStep(work, invoice, step, {
    set,
    ...(amount !== undefined && { note: noteOf(`${currencyCode} ${formatAmount(amount)}`, { to, from }) }),
    audit: { entry, balance: after, dueOn: set.due_on },
    telling,
    news: {
      ...(amount !== undefined && { amount }),
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

function noteOf(sum: string, { to, from }: Pick<Entered, 'to' | 'from'>): string {
  return [sum, to && `to ${to}`, from && `from ${from}`].filter((part) => part !== undefined).join(' ');
}

/** The columns of the invoice that derive from its entries in force. */
function columnsOf(
  { invoice, application, standing, holidays }: Omit<Account, 'standing'> & Pick<Entered, 'standing'>,
  step: StepName,
  settledAt: Date,
): Updateable<Tables['invoices']> {
  const to = statusAfter(step, invoice.status);
  const { outstanding, surplusOwed } = balanceOf(application.advance, standing);
  return {
    // The due date that people were told stays, even if a holiday is announced later.
    due_on: to === 'Approved' ? null : (invoice.case.dueOn ?? dueOn(application.tenorDays, standing, holidays)),
    paid_out_on: paidOutOn(standing),
    ...(to === 'Approved' ? { fee_earned_until: null } : {}),
    outstanding: to === 'Approved' ? null : minorToNumeric(outstanding),
    surplus_owed: minorToNumeric(surplusOwed),
    settled_on: settledOn(application.advance, standing),
    ...(to === invoice.status ? {} : { settled_at: to === 'Settled' ? settledAt : null }),
  };
}
