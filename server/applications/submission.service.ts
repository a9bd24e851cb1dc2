import { stepAllowed } from '#contract/applications/lifecycle.ts';
import { maximumAdvance, offeredTenors, quote } from '#contract/applications/quote.ts';
import { failures } from '#contract/errors.ts';
import { lockSubmissions } from '#server/applications/applications.queries.ts';
import { acceptKeyFacts } from '#server/applications/key-facts.service.ts';
import { takeStep } from '#server/applications/steps.service.ts';
import { missingMandatoryDocuments } from '#server/documents/documents.service.ts';
import { findInvoice, hasActiveBuyer, type InvoiceRecord, lockInvoice } from '#server/invoices/invoices.service.ts';
import { requireRoom, roomProblem } from '#server/limits/limits.service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import type { Change } from '#server/platform/change.ts';
import type { Connection } from '#server/platform/database.ts';
import { isAwayOrUnknown, whileAway } from '#server/platform/database-away.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import { flagTwins } from '#server/twins/twins.service.ts';

type Application = NonNullable<InvoiceRecord['application']>;

/** Whether the application could be submitted now, and in words what stands in the way (specification, section 4). */
export async function checkSubmission(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
): Promise<{ success: boolean; missing: string[] }> {
  const invoice = await findInvoice(platform.db, caller, tag);
  const missing = stepAllowed('submit', invoice.status) ? await findObstacles(platform, invoice) : [];
  return { success: missing.length === 0, missing };
}

async function findObstacles(platform: Platform, invoice: InvoiceRecord): Promise<string[]> {
  const missing = await findMissing(platform.db, invoice);
  if (!(await hasActiveBuyer(platform.db, invoice))) missing.push('Select buyer');
  if (invoice.application !== null && changedFigures(invoice, invoice.application).length > 0)
    missing.push(failures.QUOTE_MISMATCH.msg);
  const room = await roomProblem(platform, platform.db, invoice);
  if (room !== undefined) missing.push(room);
  return missing;
}

/**
 * Submits the caller's own application and tells them so; when it has been submitted before, changes nothing. Throws
 * NOT_FOUND; NOT_READY with what is `missing`; KEY_FACTS_CHANGED where `keyFactsVersion` is not today's;
 * UNKNOWN_REFERENCE when the buyer is active no more, QUOTE_MISMATCH when the price is not the one that was saved;
 * LIMIT_EXCEEDED with what is `available` (specification, section 4; decisions, 'The wire'; docs/decisions/0013).
 */
export async function submitApplication(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  keyFactsVersion: string | undefined,
): Promise<void> {
  const submit = async (change: Change): Promise<void> => {
    const invoice = await lockInvoice(change, caller, tag);
    // Every state that cannot be submitted is one that comes after a submission.
    if (!stepAllowed('submit', invoice.status)) return;
    const application = await requireReady(change, invoice);
    // 409 before 422 (decisions, 'The wire'): whoever read other key facts is not told of the price first.
    await acceptKeyFacts(change, caller, { ...invoice, application }, keyFactsVersion);
    await requireOffered(change, invoice, application);
    // One submission at a time sees the limit and the twins that the one before it left.
    await lockSubmissions(change);
    await requireRoom(platform, change, { ...invoice, application });
    await takeStep(platform, change, caller, invoice, 'submit', {
      set: { submitted_at: caller.now, submitted_by: caller.person.id },
      audit: { faceValue: invoice.faceValue, application },
    });
    await flagTwins(change, invoice, caller.now);
  };
  // A second time changes nothing, so that a commit whose answer was lost may be repeated.
  await whileAway(() => platform.db.transaction().execute(submit), isAwayOrUnknown);
}

async function requireReady(connection: Connection, invoice: InvoiceRecord): Promise<Application> {
  const missing = await findMissing(connection, invoice);
  const { application } = invoice;
  if (application === null || missing.length > 0) throw new AppError('NOT_READY', { extra: { missing } });
  return application;
}

/** Throws unless the buyer can still be chosen and the price is still the one that was saved. */
async function requireOffered(connection: Connection, invoice: InvoiceRecord, application: Application): Promise<void> {
  if (!(await hasActiveBuyer(connection, invoice))) throw fieldError('UNKNOWN_REFERENCE', 'invoice.buyerId');
  const changed = changedFigures(invoice, application);
  if (changed.length === 0) return;
  const fields = Object.fromEntries(changed.map((field) => [`application.${field}`, failures.QUOTE_MISMATCH.msg]));
  throw new AppError('QUOTE_MISMATCH', { fields });
}

/** What the client still has to give or to correct, in the order of the screen. */
async function findMissing(connection: Connection, invoice: InvoiceRecord): Promise<string[]> {
  const documents = await missingMandatoryDocuments(connection, invoice.id);
  return [...missingTerms(invoice), ...documents];
}

function missingTerms({ faceValue, application }: InvoiceRecord): string[] {
  if (application === null) return ['Amount applied for', 'Financing period'];
  // The invoice's amount may have been lowered after the application was saved (decisions).
  const isAbove = application.advance > maximumAdvance(faceValue);
  const isOffered = offeredTenors.includes(application.tenorDays);
  return [
    ...(isAbove ? [failures.ADVANCE_ABOVE_MAXIMUM.msg] : []),
    ...(isOffered ? [] : [failures.TENOR_NOT_OFFERED.msg]),
  ];
}

/** Which of the saved figures a quote of today would not give: rates may have changed since. */
function changedFigures({ faceValue }: InvoiceRecord, application: Application): string[] {
  const { advance, tenorDays, feeRateBps, discountFee, netProceeds } = application;
  const quoted = quote({ faceValue, advance, tenorDays });
  return [
    ...(quoted.feeRateBps === feeRateBps ? [] : ['feeRatePercentage']),
    ...(quoted.discountFee === discountFee ? [] : ['feesCharged']),
    ...(quoted.netProceeds === netProceeds ? [] : ['amountReceived']),
  ];
}
