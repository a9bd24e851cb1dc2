import { createHash } from 'node:crypto';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { KEY_FACTS_EDITION, keyFactsOf } from '#contract/applications/key-facts.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Holidays } from '#contract/time/working-time.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { ApplicationRecord, InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { type Expectation, findExpectation, findInvoice } from '#server/invoices/invoices.service.ts';
import { findDestination } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { presentAccepted, presentKeyFacts, type ShownFacts } from './key-facts.presenter.ts';
import { insertAcceptance, selectAcceptance } from './key-facts.queries.ts';

type AppliedInvoice = InvoiceRecord & { readonly application: ApplicationRecord };

/** The data that the facts need besides the application. */
interface FactsBasis {
  readonly expectation: Expectation;
  readonly holidays: Holidays;
  /** The account to which the cash is sent, masked, if it is known. */
  readonly paidTo: string | undefined;
}

/** The facts as of a day, and a version that changes with any word or figure of the page. */
export interface CurrentKeyFacts {
  readonly version: string;
  readonly facts: ShownFacts;
}

export function currentFacts(
  { config }: Platform,
  invoice: AppliedInvoice,
  { expectation, holidays, paidTo }: FactsBasis,
  now: Date,
): CurrentKeyFacts {
  const { application, ...terms } = invoice;
  const pays = {
    ...terms,
    ...application,
    ...expectation,
    withheld: expectation.withholdingTax + expectation.withheldVat,
  };
  const facts = presentKeyFacts(
    keyFactsOf({ ...terms, ...application }, kampalaDate(now), holidays),
    expectation.isKnown ? pays : undefined,
    {
      accounts: accountsIn(config, invoice.currencyCode),
      reference: invoice.repaymentReference,
      paidTo,
      // Fixed at submission.
      lateChargeBps: invoice.case.submittedAt === null ? config.repayment.lateChargeBps : invoice.lateChargeBps,
      blocksAfterDays: config.repayment.blocksAfterDays,
    },
  );
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return { version: `${KEY_FACTS_EDITION}-${digest.slice(0, 16)}`, facts };
}

/**
 * The key facts before submission, and the accepted ones after it. Throws NOT_FOUND; NOT_READY before the application
 * is saved.
 */
export async function loadKeyFacts({ platform, caller }: Context, tag: string): Promise<KeyFactsReply> {
  const invoice = await findInvoice(platform.db, caller, tag);
  const { application } = invoice;
  if (application === null) throw new AppError('NOT_READY', { extra: { missing: ['Amount applied for'] } });
  const acceptance = await selectAcceptance(platform.db, invoice.id);
  if (acceptance === undefined) {
    const [expectation, holidays, paidTo] = await Promise.all([
      findExpectation(platform.db, invoice),
      selectHolidays(platform.db),
      findDestination(platform, platform.db, invoice, caller.now),
    ]);
    const { version, facts } = currentFacts(
      platform,
      { ...invoice, application },
      { expectation, holidays, paidTo },
      caller.now,
    );
    return { ...facts, version, accepted: null };
  }
  return presentAccepted(acceptance);
}

/** Freezes key facts as accepted by the caller. Returns the fields for the audit log. */
export function recordAcceptance(
  { change, caller: { now, person } }: Changing,
  { id }: Pick<InvoiceRecord, 'id'>,
  { version, facts }: CurrentKeyFacts,
): AcceptedKeyFacts {
  const accepted = { accepted_at: now, accepted_by: person.id };
  insertAcceptance(change, { invoice_id: id, version, facts: JSON.stringify(facts), ...accepted });
  return { version, texts: facts.texts, sha256: canonicalDigest(facts) };
}

/** The acceptance as the audit log stores it. */
export interface AcceptedKeyFacts {
  readonly version: string;
  /** The versions of the texts, so that the evidence letter says them; the digest covers them too. */
  readonly texts: string | undefined;
  readonly sha256: string;
}
