import { AppError } from '#server/calls/app-error.ts';
import { type Done, done } from '#server/calls/done.ts';
import { changeOnce } from '#server/changes/change.ts';
import {
  closeAnswered,
  closeRecalled,
  findRequests,
} from '#server/information-requests/information-requests.service.ts';
import { lockInvoice } from '#server/invoices/invoices.service.ts';
import { isUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import type { Context } from '#server/platform/work.ts';
import { requireStep, takeStep } from '#server/steps/steps.service.ts';

/**
 * Withdraws the caller's own application before it is paid out; recorded approvers stay on record. Throws NOT_FOUND,
 * STEP_NOT_ALLOWED, PAYOUT_UNDER_WAY.
 */
export function withdrawApplication(context: Context, tag: string): Promise<Done> {
  return changeOnce(context, { name: 'withdrawApplication', input: tag }, async (work) => {
    const invoice = await lockInvoice(work, tag);
    requireStep(work.caller, 'withdraw', invoice);
    if (await isUnderWay(work.change, invoice)) throw new AppError('PAYOUT_UNDER_WAY');
    const set = invoice.case.decidedAt === null ? { first_approved_by: null, first_approved_at: null } : {};
    await takeStep(work, invoice, 'withdraw', { set });
    if (invoice.status === 'Info Requested') await closeRecalled(work, invoice);
    return done;
  });
}

/**
 * Answers a request about the caller's own application: with a text, with every requested document, or with both.
 * Throws NOT_FOUND, STEP_NOT_ALLOWED; ANSWER_MISSING if there is neither a text nor all of the documents.
 */
export function answerRequest(context: Context, tag: string, answer: string | undefined): Promise<Done> {
  const operation = { name: 'answerRequest', input: [tag, answer ?? null] };
  return changeOnce(context, operation, async (work) => {
    const invoice = await lockInvoice(work, tag);
    requireStep(work.caller, 'answerRequest', invoice);
    const [request] = await findRequests(work.change, invoice.id);
    const documents = request?.documents ?? [];
    const uploaded = documents.filter((document) => document.uploaded).map(({ type }) => type);
    const hasAll = documents.length > 0 && uploaded.length === documents.length;
    if (answer === undefined && !hasAll) throw new AppError('ANSWER_MISSING');
    const note = answer === undefined ? {} : { note: answer };
    await takeStep(work, invoice, 'answerRequest', { ...note, audit: { documents: uploaded } });
    await closeAnswered(work, invoice, answer ?? null);
    return done;
  });
}
