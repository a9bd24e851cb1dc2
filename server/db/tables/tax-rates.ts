import type { ColumnType } from 'kysely';
import type { TaxKind } from '#contract/invoices/expected-cash.ts';

/** The value of a rate from a day on; `threshold` in shillings, or null. */
export interface TaxRates {
  kind: TaxKind;
  valid_from: string;
  rate_bps: number;
  threshold: ColumnType<number | null, string | null, string | null>;
  confidence: 'high' | 'medium' | 'low';
  source: string;
}
