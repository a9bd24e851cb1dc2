import { decideDeduction } from '#contract/payments/deduction.ts';
import { hasHappened } from '#contract/payments/payment.ts';
import type { DeductionBody } from '#contract/payments/schema.ts';
import { refusalsBy } from '#contract/refusals/refusal.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { orRefuse, refuseFirst } from '#server/calls/app-error.ts';
import { changeOnce } from '#server/changes/change.ts';
import { gather } from '#server/db/together.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { dropProposal, selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import { openAccount } from './entries.service.ts';
import { isCertificateUsed, lockCertificate } from './payments.queries.ts';

/**
 * Records an amount that the buyer withheld, once per Idempotency-Key. Throws BAD_REQUEST for a date in the future;
 * NOT_FOUND, OWN_BUSINESS, NEW_OFFICER; and the first refusal of {@link decideDeduction}.
 */
export function recordDeduction(context: Context, tag: string, body: DeductionBody) {
  return changeOnce(context, { name: 'recordDeduction', input: { tag, body } }, async (work) => {
    const { change } = work;
    refuseFirst(refusalsBy([hasHappened], { payment: body, today: kampalaDate(context.caller.now) }));
    // People write the number with or without spaces.
    const certificate = body.certificate.replaceAll(/\s/g, '');
    const { account } = await gather({ account: openAccount(work, tag), standing: requireStanding(work) });
    const { invoice } = account;
    const { open, ...found } = await gather({
      held: lockCertificate(change, certificate),
      isCertificateUsed: isCertificateUsed(change, certificate),
      open: selectOpenProposal(change, invoice.id),
    });
    const kept = orRefuse(decideDeduction({ account, ...found }, { ...body, certificate }));
    const entry = postEntry(work, account, kept);
    // A deduction shows that the payout was real, so a proposal to reverse it is moot.
    if (open?.kind === 'reversal') dropProposal(work, invoice, open);
    recordEntry(work, invoice, entry);
    return { tag: entry.tag };
  });
}
