import type { ColumnType, Generated } from 'kysely';
import type { Money } from './tables.ts';

/** Counter-offers and their acceptances; append-only (docs/decisions/0045-offers.md). */

export interface CounterOffers {
  id: Generated<number>;
  invoice_id: number;
  offered_at: Date;
  offered_by: number;
  /** Whether two officers had to approve it when it was made. */
  needs_two: boolean;
  advance: Money;
  financing_period_id: number;
  tenor_days: number;
  fee_rate_bps: number;
  discount_fee: Money;
  net_proceeds: Money;
  reason: string;
}

/** More time to pay back (docs/decisions/0046-paying-back.md); accepted ones have their key facts. */
export interface Extensions {
  id: Generated<number>;
  invoice_id: number;
  financing_period_id: number;
  tenor_days: number;
  reason: string;
  asked_at: Date | null;
  asked_by: number | null;
  offered_at: Date | null;
  offered_by: number | null;
  agreed_at: Date | null;
  agreed_by: number | null;
  closed_at: Date | null;
  closed_by: number | null;
  version: string | null;
  facts: unknown;
  fee: ColumnType<number | null, string | null, string | null>;
  due_on: string | null;
}

export interface OfferTables {
  extensions: Extensions;
  counter_offers: CounterOffers;
  counter_offer_acceptances: {
    offer_id: number;
    version: string;
    facts: unknown;
    accepted_at: Date;
    accepted_by: number;
  };
}
