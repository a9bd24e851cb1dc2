import type { Readiness } from '#contract/applications/endpoints.ts';
import { stepAllowed } from '#contract/applications/lifecycle.ts';
import { maximumAdvance, offeredTenors, quote } from '#contract/applications/quote.ts';
import { failures } from '#contract/errors.ts';
import { isTooOld, termsProblems, tooOldDate } from '#contract/invoices/schema.ts';
import { formatAmount } from '#contract/money.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { selectLastWithdrawal } from '#server/applications/applications.queries.ts';
import { type AcceptedKeyFacts, acceptKeyFacts } from '#server/applications/key-facts.service.ts';
import { findBlockingOverdue, refuseOverdue, sayOverdue } from '#server/collections/overdue-block.service.ts';
import type { Change } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { missingMandatoryDocuments } from '#server/documents/documents.service.ts';
import { flagDuplicates, lockComparable } from '#server/flags/duplicates.service.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import {
  findExpectation,
  findInvoice,
  hasActiveBuyer,
  type InvoiceRecord,
  lockInvoice,
} from '#server/invoices/invoices.service.ts';
import { findActivity, findRoomRefusal, roomProblem } from '#server/limits/limits.service.ts';
import { findDestination } from '#server/payouts/payout-choices.service.ts';
import type { Platform } from '#server/platform.ts';
import { selectHolidays } from './steps.queries.ts';
import { beginTelling, takeStep } from './steps.service.ts';

type Application = NonNullable<InvoiceRecord['application']>;

/** Whether the application could be submitted now, what is missing, and what has to be paid back first, in words. */
export async function checkSubmission(platform: Platform, caller: SignedInCaller, tag: string): Promise<Readiness> {
  const invoice = await findInvoice(platform.db, caller, tag);
  if (!stepAllowed('submit', invoice.status)) return { success: true, missing: [] };
  const [missing, overdue] = await Promise.all([
    findObstacles(platform, caller, invoice),
    findBlockingOverdue(platform, platform.db, invoice.businessId),
  ]);
  if (overdue === undefined) return { success: missing.length === 0, missing };
  return { success: false, missing, overdue: { tag: overdue.tag, text: sayOverdue(platform, overdue) } };
}

async function findObstacles(platform: Platform, caller: SignedInCaller, invoice: InvoiceRecord): Promise<string[]> {
  const missing = await findMissing(platform, platform.db, caller, invoice);
  const { client } = await findActivity(platform.db, invoice.businessId, invoice.buyerId);
  if (!client) missing.unshift(failures.BUSINESS_INACTIVE.msg);
  const tooSmall = sayMinimum(platform, invoice);
  if (tooSmall !== undefined) missing.push(tooSmall);
  if (!(await hasActiveBuyer(platform.db, invoice))) missing.push('Select buyer');
  if (invoice.application !== null && changedFigures(invoice, invoice.application).length > 0)
    missing.push(failures.QUOTE_MISMATCH.msg);
  const room = await roomProblem(platform, platform.db, invoice);
  if (room !== undefined) missing.push(room);
  return missing;
}

/**
 * Submits the caller's own application and tells them so; changes nothing if it was submitted before. Throws NOT_FOUND;
 * NOT_READY with what is `missing`; KEY_FACTS_CHANGED if `keyFactsVersion` is not today's; BUSINESS_INACTIVE;
 * ADVANCE_BELOW_MINIMUM; UNKNOWN_REFERENCE for an inactive buyer, QUOTE_MISMATCH if the price differs from the saved
 * one; SUBMITTED_TOO_SOON if the same number was withdrawn a moment ago; LIMIT_EXCEEDED with what is `available`
 * (docs/decisions/0013); OVERDUE_BLOCKS with how to pay.
 */
export async function submitApplication(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  keyFactsVersion: string | undefined,
): Promise<void> {
  const { lateChargeBps } = platform.config.repayment;
  const submit = async (change: Change): Promise<void> => {
    const invoice = await lockInvoice(change, caller, tag);
    // Every status other than Draft comes after a submission.
    if (!stepAllowed('submit', invoice.status)) return;
    lockComparable(change, invoice);
    const telling = beginTelling(platform, change, caller, invoice, 'submit');
    const [missing, isBuyerActive, withdrawnAt, noRoom, expectation, overdue, holidays, paidTo] = await together(
      findMissing(platform, change, caller, invoice),
      hasActiveBuyer(change, invoice),
      selectLastWithdrawal(change, invoice.id),
      findRoomRefusal(platform, change, invoice),
      findExpectation(change, invoice),
      findBlockingOverdue(platform, change, invoice.businessId),
      selectHolidays(change),
      findDestination(platform, change, invoice, caller.now),
      flagDuplicates(change, invoice, caller.now),
    );
    const application = requireReady(invoice, missing);
    // 409 before 422: a stale key-facts version is reported before the price.
    const keyFacts = acceptKeyFacts(
      platform,
      change,
      caller,
      { ...invoice, application },
      { expectation, holidays, paidTo, seen: keyFactsVersion },
    );
    requireOffered(invoice, application, isBuyerActive);
    const tooSmall = sayMinimum(platform, invoice);
    if (tooSmall !== undefined)
      throw new AppError('ADVANCE_BELOW_MINIMUM', { fields: { 'application.amountAppliedFor': tooSmall } });
    refuseTooSoon(platform, caller, withdrawnAt);
    if (noRoom !== undefined) throw noRoom;
    refuseOverdue(platform, overdue);
    await takeStep(platform, change, caller, invoice, 'submit', {
      set: { submitted_at: caller.now, submitted_by: caller.person.id, late_charge_bps: lateChargeBps },
      audit: submittedTerms(invoice, application, keyFacts, lateChargeBps),
      telling,
    });
  };
  await platform.db.inTransaction(submit, { isIdempotent: true });
}

/** Throws SUBMITTED_TOO_SOON during the pause after a withdrawal of the same number. */
function refuseTooSoon({ config }: Platform, { now }: SignedInCaller, withdrawnAt: Date | undefined): void {
  const waitMs = (withdrawnAt?.getTime() ?? 0) + config.resubmitPauseMs - now.getTime();
  if (waitMs > 0) throw new AppError('SUBMITTED_TOO_SOON', { retryAfterSeconds: waitMs / 1000 });
}

/** Everything that is submitted, so that the record is complete by itself. */
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

function requireReady({ application }: InvoiceRecord, missing: string[]): Application {
  if (application === null || missing.length > 0) throw new AppError('NOT_READY', { extra: { missing } });
  return application;
}

/** Throws unless the buyer is still active and the price still the saved one. */
function requireOffered(invoice: InvoiceRecord, application: Application, isBuyerActive: boolean): void {
  if (!isBuyerActive) throw fieldError('UNKNOWN_REFERENCE', 'invoice.buyerId');
  const changed = changedFigures(invoice, application);
  if (changed.length === 0) return;
  const fields = Object.fromEntries(changed.map((field) => [`application.${field}`, failures.QUOTE_MISMATCH.msg]));
  throw new AppError('QUOTE_MISMATCH', { fields });
}

/** The message for an advance below the currency's minimum; undefined for any other. */
function sayMinimum({ config }: Platform, { application, currencyCode }: InvoiceRecord): string | undefined {
  const minimum = config.minimumAdvance.get(currencyCode) ?? 0;
  if (application === null || application.advance >= minimum) return undefined;
  return `The smallest advance is ${currencyCode} ${formatAmount(minimum)}. Apply for that or more`;
}

/** What the client still has to add or correct, in the order of the screen. */
async function findMissing(
  { config: { invoiceMaximumAgeDays } }: Platform,
  connection: Connection,
  { now }: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<string[]> {
  const documents = await missingMandatoryDocuments(connection, invoice.id);
  // A draft may have waited since it was saved.
  const isOld = isTooOld(invoice.invoiceDate, kampalaDate(now), invoiceMaximumAgeDays);
  return [
    ...(isOld ? [tooOldDate(invoiceMaximumAgeDays)] : []),
    ...wrongTerms(invoice),
    ...missingTerms(invoice),
    ...documents,
  ];
}

/** Date or amount may have been changed where the buyer's terms are not known. */
function wrongTerms({ invoiceDate: date, faceValue: amount, paymentDueOn, vat }: InvoiceRecord): string[] {
  return Object.values(termsProblems({ date, amount, paymentDueOn, vat }));
}

function missingTerms({ faceValue, application }: InvoiceRecord): string[] {
  if (application === null) return ['Amount applied for', 'Financing period'];
  // The invoice's amount may have been lowered after the application was saved.
  const isAbove = application.advance > maximumAdvance(faceValue);
  const isOffered = offeredTenors.includes(application.tenorDays);
  return [
    ...(isAbove ? [failures.ADVANCE_ABOVE_MAXIMUM.msg] : []),
    ...(isOffered ? [] : [failures.TENOR_NOT_OFFERED.msg]),
  ];
}

/** The saved figures that differ from a quote of today: rates may have changed. */
function changedFigures({ faceValue }: InvoiceRecord, application: Application): string[] {
  const { advance, tenorDays, feeRateBps, discountFee, netProceeds } = application;
  const quoted = quote({ faceValue, advance, tenorDays });
  return [
    ...(quoted.feeRateBps === feeRateBps ? [] : ['feeRatePercentage']),
    ...(quoted.discountFee === discountFee ? [] : ['feesCharged']),
    ...(quoted.netProceeds === netProceeds ? [] : ['amountReceived']),
  ];
}
