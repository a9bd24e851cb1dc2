import type { Payer } from '#contract/payments/schema.ts';
import type { CashMethod } from './accounts.ts';
import type { Deduction, PostedKind } from './position.ts';

/** An entry to record. Amounts in minor units. */
export interface NewEntry {
  readonly kind: PostedKind;
  readonly amount: number;
  /** The day of the event in Kampala (YYYY-MM-DD). */
  readonly date: string;
  readonly carried?: number;
  readonly rounded?: number;
  readonly method?: CashMethod | null;
  readonly reference?: string | null;
  readonly payer?: Payer | null;
  /** Set for a receipt of money that had arrived in suspense: the line of its statement. */
  readonly isFromSuspense?: boolean;
  readonly lineId?: number | null;
  readonly lineTag?: string | null;
  /** Set for a receipt from a request to a phone. */
  readonly transferId?: number;
  readonly deduction?: Deduction | null;
  readonly certificate?: string | null;
  /** The reason for a write-off. */
  readonly reason?: string;
}
