import { keyFactsOf } from '#contract/applications/key-facts.ts';
import { quote } from '#contract/applications/quote.ts';
import { aloneUpTo } from '#contract/desk/rules.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { decideAcceptance } from '#contract/offers/acceptance.ts';
import { decideCounterOffer } from '#contract/offers/counter-offer.ts';
import { offerValidUntil } from '#contract/offers/offer.ts';
import type { AcceptOfferBody, CounterOfferBody, OfferReply } from '#contract/offers/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { findCaseFacts, lockCaseBusinesses, lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { AppError, orNotFound, orRefuse } from '#server/calls/app-error.ts';
import { doOnce } from '#server/changes/change.ts';
import { findOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import { findUnacknowledged } from '#server/flags/flags.service.ts';
import type { ApplicationRecord, InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import {
  findExpectation,
  findInvoice,
  hasActiveBuyer,
  lockCase,
  lockInvoice,
} from '#server/invoices/invoices.service.ts';
import { currentFacts } from '#server/key-facts/key-facts.service.ts';
import { lockClient } from '#server/limits/limits.queries.ts';
import { findExposure } from '#server/limits/limits.service.ts';
import { findFirstOutlook } from '#server/payout-accounts/outlook.service.ts';
import { findDestination } from '#server/payout-accounts/payout-choices.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { selectTenorDays } from '#server/reference/reference.queries.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { requireStep, takeStep } from '#server/steps/steps.service.ts';
import { presentOffer } from './offers.presenter.ts';
import { insertAcceptance, insertOffer, type OfferRow, selectNewestOffer } from './offers.queries.ts';

/**
 * Counter-offers (docs/decisions/0045-offers.md): an officer offers other terms, and the client accepts them, with key
 * facts of their own, or declines. Everything here happens once per Idempotency-Key.
 */

type Applied = InvoiceRecord & { readonly application: ApplicationRecord };

function requireApplied(invoice: InvoiceRecord): Applied {
  const { application } = invoice;
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  return { ...invoice, application };
}

/** The terms of an offer to be stored. Amounts in minor units. */
type PricedTerms = Pick<
  ApplicationRecord,
  'advance' | 'financingPeriodId' | 'tenorDays' | 'feeRateBps' | 'discountFee' | 'netProceeds'
>;

/** The columns of the offer, or of the application once it is accepted. */
function columnsOf({ advance, financingPeriodId, tenorDays, feeRateBps, discountFee, netProceeds }: PricedTerms) {
  return {
    advance: minorToNumeric(advance),
    financing_period_id: financingPeriodId,
    tenor_days: tenorDays,
    fee_rate_bps: feeRateBps,
    discount_fee: minorToNumeric(discountFee),
    net_proceeds: minorToNumeric(netProceeds),
  };
}

function termsOf({ advance, financingPeriodId, tenorDays, feeRateBps, discountFee, netProceeds }: PricedTerms) {
  return { advance, financingPeriodId, tenorDays, feeRateBps, discountFee, netProceeds };
}

/**
 * Offers other terms on a case assigned to the caller, by `decideCounterOffer` (contract/offers/counter-offer.ts).
 * Drops a first approval, which was given for other terms. Also throws NOT_FOUND and OWN_BUSINESS.
 */
export function counterOffer(context: Context, tag: string, body: CounterOfferBody) {
  const { amountAppliedFor: advance, financingPeriodId, reason } = body;
  return doOnce(context, { name: 'counterOffer', input: [tag, body] }, async (work) => {
    const { platform, change } = work;
    const { locked, ...period } = await gather({
      locked: lockCase(work, tag),
      tenorDays: selectTenorDays(change, financingPeriodId),
    });
    const invoice = requireApplied(locked);
    lockCasePeople(work, invoice);
    const { facts, openFlags } = await gather({
      facts: findCaseFacts(work, change, { invoice, active: lockCaseBusinesses(work, invoice) }),
      openFlags: findUnacknowledged(work, work.change, invoice),
    });
    const offered = { advance, tenorDays: period.tenorDays ?? 0 };
    const { needsTwo } = orRefuse(
      decideCounterOffer({
        ...facts,
        openFlags,
        asked: invoice.application,
        offered,
        currency: invoice.currencyCode,
        smallest: platform.config.minimumAdvance.get(invoice.currencyCode) ?? 0,
      }),
    );
    const terms = { ...offered, financingPeriodId, ...quote({ faceValue: invoice.faceValue, ...offered }) };
    await placeOffer(work, invoice, { terms, needsTwo, reason });
  });
}

interface Placed {
  readonly terms: PricedTerms;
  readonly needsTwo: boolean;
  readonly reason: string;
}

/** Stores a checked offer and takes its step. */
export async function placeOffer(
  work: Work,
  invoice: InvoiceRecord,
  { terms, needsTwo, reason }: Placed,
): Promise<void> {
  const { change, caller } = work;
  insertOffer(change, {
    invoice_id: invoice.id,
    offered_at: caller.now,
    offered_by: caller.person.id,
    needs_two: needsTwo,
    ...columnsOf(terms),
    reason,
  });
  await takeStep(work, invoice, 'counterOffer', {
    set: { first_approved_by: null, first_approved_at: null },
    note: `${invoice.currencyCode} ${formatAmount(terms.advance)}, ${terms.tenorDays} days. ${reason}`,
    audit: { offer: termsOf(terms) },
    news: { amount: terms.netProceeds, reason },
  });
}

/** Withdraws the open offer. Throws NOT_FOUND, OWN_BUSINESS, CASE_TAKEN, STEP_NOT_ALLOWED. */
export function recallOffer(context: Context, tag: string) {
  return doOnce(context, { name: 'recallOffer', input: tag }, async (work) => {
    await takeStep(work, await lockCase(work, tag), 'recallOffer');
  });
}

async function requireOpenOffer(connection: Connection, invoice: InvoiceRecord): Promise<OfferRow> {
  return orNotFound(await selectNewestOffer(connection, invoice.id));
}

/** The key facts that the client accepts, as if they had applied for the offered terms. */
async function factsOfOffer({ platform, caller }: Context, connection: Connection, invoice: Applied, offer: OfferRow) {
  const basis = await gather({
    expectation: findExpectation(connection, invoice),
    holidays: selectHolidays(connection),
    paidTo: findDestination(platform, connection, invoice, caller.now),
  });
  const offered = { ...invoice, application: { ...invoice.application, ...termsOf(offer) } };
  return { holidays: basis.holidays, ...currentFacts(platform, offered, basis, caller.now) };
}

/** The open offer on an application that the caller may see. Throws NOT_FOUND, also if none is open. */
export async function readOffer(context: Context, tag: string): Promise<OfferReply> {
  const { platform, caller } = context;
  const { db, config } = platform;
  const found = await findInvoice(db, caller, tag);
  if (found.status !== 'Counter-offered') throw new AppError('NOT_FOUND');
  const invoice = requireApplied(found);
  const offer = await requireOpenOffer(db, invoice);
  const { holidays, ...facts } = await factsOfOffer(context, db, invoice, offer);
  const asked = keyFactsOf({ ...invoice, ...invoice.application }, kampalaDate(caller.now), holidays);
  const validUntil = offerValidUntil(offer.offeredAt, config.offerValidDays);
  return presentOffer(asked, facts, { reason: offer.reason, validUntil });
}

/**
 * Accepts the open offer on the caller's own application, by `decideAcceptance` (contract/offers/acceptance.ts):
 * approves it on those terms, or leaves it to a second officer if two are needed. Also throws NOT_FOUND and
 * STEP_NOT_ALLOWED.
 */
export function acceptOffer(context: Context, tag: string, { keyFactsVersion: seen }: AcceptOfferBody) {
  const { platform, caller } = context;
  const { config } = platform;
  return doOnce(context, { name: 'acceptOffer', input: [tag, seen] }, async (work) => {
    const { change } = work;
    const locked = await lockInvoice(work, tag);
    requireStep(work.caller, 'acceptOffer', locked);
    const invoice = requireApplied(locked);
    const offer = await requireOpenOffer(change, invoice);
    // Locks the client's row before reading the data that the lock protects.
    const active = lockClient(change, invoice.businessId);
    const { keyFacts, activity, used, outlook, ...found } = await gather({
      activity: active,
      outlook: findFirstOutlook(work, change, invoice, offer.netProceeds),
      keyFacts: factsOfOffer(work, change, invoice, offer),
      isBuyerActive: hasActiveBuyer(change, invoice),
      used: findExposure(platform, change, invoice),
      overdue: findOverdue(platform, change, invoice.businessId),
    });
    const { version, facts } = keyFacts;
    const step = orRefuse(
      decideAcceptance({
        ...found,
        now: caller.now,
        offeredAt: offer.offeredAt,
        validDays: config.offerValidDays,
        keyFacts: { seen, today: version },
        isClientActive: activity.client,
        exposure: used.exposure - invoice.application.advance + offer.advance,
        limit: used.limit,
        aloneUpTo: aloneUpTo(invoice.currencyCode, config.secondApprovalAbove),
        neededTwo: offer.neededTwo,
      }),
    );
    const accepted = { accepted_at: caller.now, accepted_by: caller.person.id };
    insertAcceptance(change, { offer_id: offer.id, version, facts: JSON.stringify(facts), ...accepted });
    const [now, officer] = [caller.now, offer.offeredBy];
    const approval =
      step === 'acceptOfferFirst'
        ? { first_approved_by: officer, first_approved_at: now, holder_id: null, held_since: null }
        : { decided_at: now, decided_by: officer };
    await takeStep(work, invoice, step, {
      set: { ...columnsOf(offer), ...approval },
      audit: { keyFacts: { version, sha256: canonicalDigest(facts) } },
      news: { amount: offer.netProceeds, outlook },
    });
  });
}

/** Declines the open offer on the caller's own application, which ends the application. Throws NOT_FOUND, STEP_NOT_ALLOWED. */
export function declineOffer(context: Context, tag: string) {
  return doOnce(context, { name: 'declineOffer', input: tag }, async (work) => {
    await takeStep(work, await lockInvoice(work, tag), 'declineOffer');
  });
}
