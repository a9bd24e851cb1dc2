import type { Insertable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';

/** Stores a counter-offer. */
export function insertOffer(change: Change, offer: Insertable<Tables['counter_offers']>): void {
  change.send(change.insertInto('counter_offers').values(offer));
}

/** Stores an acceptance. */
export function insertAcceptance(change: Change, acceptance: Insertable<Tables['counter_offer_acceptances']>): void {
  change.send(change.insertInto('counter_offer_acceptances').values(acceptance));
}

/** A case's newest offer, which is open while the case is 'Counter-offered'. Amounts in minor units. */
export function selectNewestOffer(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('counter_offers')
    .where('invoice_id', '=', invoiceId)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'offered_at as offeredAt', 'offered_by as offeredBy', 'needs_two as neededTwo', 'reason', 'advance'])
    .select(['financing_period_id as financingPeriodId', 'tenor_days as tenorDays', 'fee_rate_bps as feeRateBps'])
    .select(['discount_fee as discountFee', 'net_proceeds as netProceeds'])
    .executeTakeFirst();
}

export type OfferRow = NonNullable<Awaited<ReturnType<typeof selectNewestOffer>>>;
