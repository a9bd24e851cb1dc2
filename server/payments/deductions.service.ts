import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { positionOf } from '#contract/journal/position.ts';
import type { DeductionBody } from '#contract/payments/schema.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import { changeOnce } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { dropProposal, selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import { openAccount } from './entries.service.ts';
import { isCertificateUsed, lockCertificate } from './payments.queries.ts';

/**
 * Records what the buyer kept back, once per Idempotency-Key. It lowers what the buyer owes on the invoice, never what
 * the client owes. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER; STEP_NOT_ALLOWED before the payout; BAD_REQUEST for a date in the
 * future, DATE_TOO_EARLY for one before the payout; DEDUCTION_TOO_LARGE, CERTIFICATE_USED.
 */
export function recordDeduction(context: Context, tag: string, body: DeductionBody) {
  return changeOnce(context, { name: 'recordDeduction', input: { tag, body } }, async (work) => {
    const { change } = work;
    const { amount, date, deduction } = body;
    if (isAfter(date, kampalaDate(context.caller.now))) throw fieldError('BAD_REQUEST', 'date', FUTURE_DATE);
    // People write the number with and without spaces.
    const certificate = body.certificate.replaceAll(/\s/g, '');
    const [account] = await together(openAccount(work, tag), requireStanding(work));
    const { invoice, application, standing } = account;
    const paidOut = standing.find(({ kind }) => kind === 'disbursement');
    if (paidOut === undefined) throw new AppError('STEP_NOT_ALLOWED');
    if (date < paidOut.date) throw fieldError('DATE_TOO_EARLY', 'date');
    const { buyersOwe = 0 } = positionOf({ ...application, faceValue: invoice.faceValue }, standing);
    if (amount > buyersOwe) throw fieldError('DEDUCTION_TOO_LARGE', 'amount');
    const [, used, open] = await together(
      lockCertificate(change, certificate),
      isCertificateUsed(change, certificate),
      selectOpenProposal(change, invoice.id),
    );
    if (used) throw fieldError('CERTIFICATE_USED', 'certificate');
    const kept = { kind: 'deduction', amount, date, deduction, certificate } as const;
    const entry = postEntry(work, account, kept);
    // It shows that the payout was real.
    if (open?.kind === 'reversal') dropProposal(work, invoice, open);
    recordEntry(work, invoice, entry);
    return { tag: entry.tag };
  });
}
