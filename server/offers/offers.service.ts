import { keyFactsOf } from '#contract/applications/key-facts.ts';
import { quote } from '#contract/applications/quote.ts';
import { aloneUpTo } from '#contract/desk/rules.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { hasLapsed, offerProblem, offerValidUntil } from '#contract/offers/offer.ts';
import type { AcceptOfferBody, CounterOfferBody, OfferReply } from '#contract/offers/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { requireSound } from '#server/approvals/approval-checks.service.ts';
import { lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import { doOnce } from '#server/changes/change.ts';
import { findBlockingOverdue, refuseOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
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
import { findDestination } from '#server/payout-accounts/payout-choices.service.ts';
import { requireStanding, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { selectTenorDays } from '#server/reference/reference.queries.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { requireAssignee, requireStep, takeStep } from '#server/steps/steps.service.ts';
import { presentOffer } from './offers.presenter.ts';
import { insertAcceptance, insertOffer, type OfferRow, selectNewestOffer } from './offers.queries.ts';

/**
 * Counter-offers (docs/decisions/0045-offers.md): an officer offers other terms, and the client accepts them by their
 * own key facts, or declines. Everything here happens once per Idempotency-Key.
 */

type Applied = InvoiceRecord & { readonly application: ApplicationRecord };

function requireApplied(invoice: InvoiceRecord): Applied {
  const { application } = invoice;
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  return { ...invoice, application };
}

/** The terms of an offer, for storing. Amounts in minor units. */
type PricedTerms = Pick<
  ApplicationRecord,
  'advance' | 'financingPeriodId' | 'tenorDays' | 'feeRateBps' | 'discountFee' | 'netProceeds'
>;

/** As columns of the offer, or of the application that it becomes. */
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
 * Prices an offer. Throws OFFER_TOO_HIGH and ADVANCE_BELOW_MINIMUM at the amount, else TENOR_NOT_OFFERED or
 * OFFER_UNCHANGED.
 */
function priceOffer(
  { config }: Platform,
  { application: asked, faceValue, currencyCode }: Applied,
  { amountAppliedFor: advance, financingPeriodId }: CounterOfferBody,
  tenorDays: number,
): PricedTerms {
  const minimum = config.minimumAdvance.get(currencyCode) ?? 0;
  const problem = offerProblem(asked, { advance, tenorDays }, minimum);
  const sum = (minor: number): string => `${currencyCode} ${formatAmount(minor)}`;
  switch (problem) {
    case 'OFFER_TOO_HIGH':
      throw fieldError(problem, 'amountAppliedFor', `The client asked for ${sum(asked.advance)}. Offer that or less`);
    case 'ADVANCE_BELOW_MINIMUM':
      throw fieldError(problem, 'amountAppliedFor', `The smallest advance is ${sum(minimum)}. Offer that or more`);
    case 'OFFER_UNCHANGED':
      throw fieldError(problem, 'amountAppliedFor');
    case 'TENOR_NOT_OFFERED':
      throw fieldError(problem, 'financingPeriodId');
    case undefined:
      return { advance, financingPeriodId, tenorDays, ...quote({ faceValue, advance, tenorDays }) };
  }
}

/**
 * Offers other terms on a case of the caller's. Drops a first approval, which was for other terms. Throws NOT_FOUND,
 * OWN_BUSINESS, STEP_NOT_ALLOWED, CASE_NOT_TAKEN, CASE_TAKEN; what {@link priceOffer} throws; and what refuses any
 * approval, with the limit for the offered advance. Possible duplicates must be acknowledged first; flags about the case
 * itself wait until the terms are agreed.
 */
export function counterOffer(context: Context, tag: string, body: CounterOfferBody) {
  return doOnce(context, { name: 'counterOffer', input: [tag, body] }, async (work) => {
    const [locked, tenorDays] = await together(
      lockCase(work, tag),
      selectTenorDays(work.change, body.financingPeriodId),
    );
    requireStep('counterOffer', locked);
    requireAssignee(context.caller, locked);
    const invoice = requireApplied(locked);
    const terms = priceOffer(context.platform, invoice, body, tenorDays ?? 0);
    const needsTwo = await requireOfferable(work, invoice, terms);
    await placeOffer(work, invoice, { terms, needsTwo, reason: body.reason });
  });
}

interface Placed {
  readonly terms: PricedTerms;
  readonly needsTwo: boolean;
  readonly reason: string;
}

/** Stores a checked offer, and takes its step. */
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

/** Throws what refuses an approval of the offered terms; returns whether it needs two officers. */
async function requireOfferable(work: Work, invoice: Applied, { advance }: PricedTerms): Promise<boolean> {
  const { platform, change, caller } = work;
  lockCasePeople(work, invoice);
  const [isPlaced, , needsTwo, open] = await together(
    wasPlacedBy(platform, change, caller.person.id, invoice.case),
    requireStanding(work),
    requireSound(work, invoice, invoice.application.advance - advance),
    findUnacknowledged(work, invoice),
  );
  // An offer is the remedy for these two.
  refuseOpen(open.filter(({ kind }) => kind !== 'coverage' && kind !== 'dueDate'));
  return needsTwo || isPlaced;
}

/** Withdraws the open offer. Throws NOT_FOUND, OWN_BUSINESS, STEP_NOT_ALLOWED, CASE_NOT_TAKEN, CASE_TAKEN. */
export function recallOffer(context: Context, tag: string) {
  return doOnce(context, { name: 'recallOffer', input: tag }, async (work) => {
    await takeStep(work, await lockCase(work, tag), 'recallOffer');
  });
}

async function requireOpenOffer(connection: Connection, invoice: InvoiceRecord): Promise<OfferRow> {
  return orNotFound(await selectNewestOffer(connection, invoice.id));
}

/** The key facts that a client accepts, as if they had asked for the offered terms. */
async function factsOfOffer(platform: Platform, connection: Connection, invoice: Applied, offer: OfferRow, now: Date) {
  const [expectation, holidays, paidTo] = await together(
    findExpectation(connection, invoice),
    selectHolidays(connection),
    findDestination(platform, connection, invoice, now),
  );
  const offered = { ...invoice, application: { ...invoice.application, ...termsOf(offer) } };
  return { holidays, ...currentFacts(platform, offered, { expectation, holidays, paidTo }, now) };
}

/** The open offer on an application that the caller may see. Throws NOT_FOUND, also if none is open. */
export async function readOffer({ platform, caller }: Context, tag: string): Promise<OfferReply> {
  const { db, config } = platform;
  const found = await findInvoice(db, caller, tag);
  if (found.status !== 'Counter-offered') throw new AppError('NOT_FOUND');
  const invoice = requireApplied(found);
  const offer = await requireOpenOffer(db, invoice);
  const { holidays, ...facts } = await factsOfOffer(platform, db, invoice, offer, caller.now);
  const asked = keyFactsOf({ ...invoice, ...invoice.application }, kampalaDate(caller.now), holidays);
  const validUntil = offerValidUntil(offer.offeredAt, config.offerValidDays);
  return presentOffer(asked, facts, { reason: offer.reason, validUntil });
}

/**
 * Accepts the open offer on the caller's own application: approves it on those terms, or leaves it to a second officer
 * if two are needed. Throws NOT_FOUND, STEP_NOT_ALLOWED, OFFER_LAPSED, OFFER_CHANGED and what {@link needsSecond}
 * throws.
 */
export function acceptOffer(context: Context, tag: string, { keyFactsVersion }: AcceptOfferBody) {
  const { platform, caller } = context;
  return doOnce(context, { name: 'acceptOffer', input: [tag, keyFactsVersion] }, async (work) => {
    const { change } = work;
    const locked = await lockInvoice(work, tag);
    requireStep('acceptOffer', locked);
    const invoice = requireApplied(locked);
    const offer = await requireOpenOffer(change, invoice);
    if (hasLapsed(offer.offeredAt, platform.config.offerValidDays, caller.now)) throw new AppError('OFFER_LAPSED');
    const { version, facts } = await factsOfOffer(platform, change, invoice, offer, caller.now);
    if (version !== keyFactsVersion) throw new AppError('OFFER_CHANGED');
    const accepted = { accepted_at: caller.now, accepted_by: caller.person.id };
    insertAcceptance(change, { offer_id: offer.id, version, facts: JSON.stringify(facts), ...accepted });
    const isFirst = await needsSecond(platform, change, invoice, offer);
    const [now, officer] = [caller.now, offer.offeredBy];
    const approval = isFirst
      ? { first_approved_by: officer, first_approved_at: now, holder_id: null, held_since: null }
      : { decided_at: now, decided_by: officer };
    await takeStep(work, invoice, isFirst ? 'acceptOfferFirst' : 'acceptOffer', {
      set: { ...columnsOf(offer), ...approval },
      audit: { keyFacts: { version, sha256: canonicalDigest(facts) } },
      news: { amount: offer.netProceeds, hasAccount: facts.paidTo !== undefined },
    });
  });
}

/**
 * Whether an offer needs two officers: if it did when offered, or does now. Throws what refuses an approval now:
 * BUSINESS_INACTIVE, UNKNOWN_REFERENCE for an inactive buyer, OVERDUE_BLOCKS, LIMIT_EXCEEDED.
 */
async function needsSecond(
  platform: Platform,
  change: Change,
  invoice: Applied,
  { neededTwo, advance }: OfferRow,
): Promise<boolean> {
  // Locks the client's row before reading what it protects.
  const [active, isBuyerActive, { exposure: asked, limit }, overdue] = await together(
    lockClient(change, invoice.businessId),
    hasActiveBuyer(change, invoice),
    findExposure(platform, change, invoice),
    findBlockingOverdue(platform, change, invoice.businessId),
  );
  if (!active.client) throw new AppError('BUSINESS_INACTIVE');
  if (!isBuyerActive) throw fieldError('UNKNOWN_REFERENCE', 'invoice.buyerId');
  refuseOverdue(platform, overdue);
  const exposure = asked - invoice.application.advance + advance;
  if (exposure > limit) throw new AppError('LIMIT_EXCEEDED');
  return neededTwo || exposure > aloneUpTo(invoice.currencyCode, platform.config.secondApprovalAbove);
}

/** Declines the open offer on the caller's own application, which ends the application. Throws NOT_FOUND, STEP_NOT_ALLOWED. */
export function declineOffer(context: Context, tag: string) {
  return doOnce(context, { name: 'declineOffer', input: tag }, async (work) => {
    await takeStep(work, await lockInvoice(work, tag), 'declineOffer');
  });
}
