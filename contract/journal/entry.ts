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
  /** A receipt of money that had arrived: the line of its statement. */
  readonly isFromSuspense?: boolean;
  readonly lineId?: number | null;
  readonly lineTag?: string | null;
  /** A receipt that a phone was asked for. */
  readonly transferId?: number;
  readonly deduction?: Deduction | null;
  readonly certificate?: string | null;
  /** Why something is written off. */
  readonly reason?: string;
}
