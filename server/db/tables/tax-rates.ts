import type { ColumnType } from 'kysely';
import type { TaxKind } from '#contract/invoices/expected-cash.ts';

/** What a rate is worth from a day on; `threshold` in shillings, null for none. */
export interface TaxRates {
  kind: TaxKind;
  valid_from: string;
  rate_bps: number;
  threshold: ColumnType<number | null, string | null, string | null>;
  confidence: 'high' | 'medium' | 'low';
  source: string;
}
