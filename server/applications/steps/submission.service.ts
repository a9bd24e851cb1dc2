import type { Readiness, Requirements } from '#contract/applications/endpoints.ts';
import { stepAllowed } from '#contract/applications/lifecycle.ts';
import { decideSubmission, readinessOf, type SubmissionFacts } from '#contract/applications/submission/submission.ts';
import { fromMinor } from '#contract/money.ts';
import { selectLastWithdrawal } from '#server/applications/applications.queries.ts';
import { AppError, orRefuse } from '#server/calls/app-error.ts';
import { findOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { selectMissingMandatory } from '#server/documents/documents.queries.ts';
import { lockComparable } from '#server/flags/duplicates.queries.ts';
import { flagDuplicates } from '#server/flags/duplicates.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findExpectation, findInvoice, hasActiveBuyer, lockInvoice } from '#server/invoices/invoices.service.ts';
import { type AcceptedKeyFacts, currentFacts, recordAcceptance } from '#server/key-facts/key-facts.service.ts';
import { lockClient, selectActivity } from '#server/limits/limits.queries.ts';
import { findRoom } from '#server/limits/limits.service.ts';
import { findDestination } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { beginTelling, takeStep } from '#server/steps/steps.service.ts';

type Application = NonNullable<InvoiceRecord['application']>;

/**
 * The conditions for submitting anything and, if the client names an invoice, how long it must wait after a withdrawal.
 */
export async function findRequirements({ platform, caller }: Context, tag: string | undefined): Promise<Requirements> {
  const { db } = platform;
  const { businessId } = caller.person;
  if (businessId === null) throw new AppError('FORBIDDEN');
  const invoice = tag === undefined ? undefined : await findInvoice(db, caller, tag);
  const { overdue, activity, pausedUntil } = await gather({
    overdue: findOverdue(platform, db, businessId),
    activity: selectActivity(db, businessId, businessId),
    pausedUntil: invoice && findPause(platform, db, invoice),
  });
  return {
    isClientActive: activity.client,
    ...(overdue === undefined ? {} : { overdue }),
    pausedUntil: pausedUntil?.toISOString() ?? null,
    smallestAdvances: [...platform.config.minimumAdvance].map(([currency, amount]) => ({
      currency,
      amount: fromMinor(amount),
    })),
  };
}

/** Whether the application can be submitted now, what is missing, and in words what must be paid back first. */
export async function checkSubmission(context: Context, tag: string): Promise<Readiness> {
  const { db } = context.platform;
  const invoice = await findInvoice(db, context.caller, tag);
  if (!stepAllowed('submit', invoice.status)) return { success: true, missing: [] };
  const active = selectActivity(db, invoice.businessId, invoice.buyerId);
  return readinessOf(await findFacts(context, db, { invoice, active }));
}

/**
 * Submits the caller's own application and sends them a confirmation; changes nothing if it was submitted before.
 * Throws NOT_FOUND, and the first refusal of `decideSubmission` (contract/applications/submission/submission.ts,
 * docs/decisions/0013).
 */
export async function submitApplication(context: Context, tag: string, seen: string | undefined): Promise<void> {
  const { platform, caller } = context;
  const { lateChargeBps } = platform.config.repayment;
  const submit = async (change: Change): Promise<void> => {
    const work = { ...context, change };
    const invoice = await lockInvoice(work, tag);
    // Every status other than Draft comes after a submission.
    if (!stepAllowed('submit', invoice.status)) return;
    // We lock in one order everywhere: invoice, comparable invoices, waiting texts, client.
    lockComparable(change, invoice);
    const telling = beginTelling(work, invoice, 'submit');
    const active = lockClient(change, invoice.businessId);
    const { facts, ...basis } = await gather({
      facts: findFacts(context, change, { invoice, active }),
      expectation: findExpectation(change, invoice),
      holidays: selectHolidays(change),
      paidTo: findDestination(platform, change, invoice, caller.now),
      flagged: flagDuplicates(change, invoice, caller.now),
    });
    const factsOf = (application: Application) =>
      currentFacts(platform, { ...invoice, application }, basis, caller.now);
    const today = invoice.application === null ? undefined : factsOf(invoice.application);
    const application = orRefuse(decideSubmission({ ...facts, keyFacts: { seen, today: today?.version } }));
    const keyFacts = recordAcceptance(work, invoice, today ?? factsOf(application));
    await takeStep(work, invoice, 'submit', {
      set: { submitted_at: caller.now, submitted_by: caller.person.id, late_charge_bps: lateChargeBps },
      audit: submittedTerms(invoice, application, keyFacts, lateChargeBps),
      telling,
    });
  };
  await platform.db.inTransaction(submit, { isIdempotent: true });
}

/** The facts about a saved draft. Submitting reads `active` under the client's lock; the screen reads it without. */
async function findFacts(
  { platform, caller: { now } }: Context,
  connection: Connection,
  { invoice, active }: { readonly invoice: InvoiceRecord; readonly active: Promise<{ readonly client: boolean }> },
): Promise<SubmissionFacts<InvoiceRecord>> {
  const { invoiceMaximumAgeDays, minimumAdvance } = platform.config;
  const { activity, room, ...found } = await gather({
    activity: active,
    missingDocuments: selectMissingMandatory(connection, invoice.id),
    isBuyerActive: hasActiveBuyer(connection, invoice),
    pausedUntil: findPause(platform, connection, invoice),
    room: findRoom(platform, connection, invoice),
    overdue: findOverdue(platform, connection, invoice.businessId),
  });
  const currency = invoice.currencyCode;
  const smallest = minimumAdvance.get(currency) ?? 0;
  return {
    ...found,
    now,
    invoice,
    invoiceMaximumAgeDays,
    isClientActive: activity.client,
    advance: { ...room, currency, advance: invoice.application?.advance, smallest },
  };
}

/** When the pause ends that follows the withdrawal of an invoice with the same number. */
async function findPause(
  { config: { resubmitPauseMs } }: Platform,
  connection: Connection,
  { id }: InvoiceRecord,
): Promise<Date | undefined> {
  const withdrawnAt = await selectLastWithdrawal(connection, id);
  return withdrawnAt && new Date(withdrawnAt.getTime() + resubmitPauseMs);
}

/** All submitted values, so that the audit record is complete by itself. */
export function submittedTerms(
  invoice: InvoiceRecord,
  application: Application,
  keyFacts: AcceptedKeyFacts,
  lateChargeBps: number,
) {
  const { businessId, invoiceNumber, invoiceDate, currencyId, buyerId, faceValue, paymentDueOn, vat } = invoice;
  const terms = { invoiceNumber, invoiceDate, currencyId, buyerId, faceValue, paymentDueOn, vat };
  return { businessId, ...terms, application, keyFacts, ...(lateChargeBps === 0 ? {} : { lateChargeBps }) };
}
