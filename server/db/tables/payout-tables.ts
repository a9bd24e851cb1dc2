import type { ColumnType, Generated } from 'kysely';
import type { ProviderCode } from '#contract/payouts/account.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';

/** The tables of payout accounts and payouts (the others are in tables.ts). */

export interface PayoutAccounts {
  id: Generated<number>;
  tag: Generated<string>;
  business_id: number;
  provider: ProviderCode;
  number: string;
  holder_name: string;
  bank_name: string | null;
  /** The account that it takes the place of once it is verified. */
  replaces: number | null;
  added_at: Date;
  added_by: number;
  verified_at: Date | null;
  verified_by: number | null;
  /** Why an account that another business has as well is right. */
  verified_reason: string | null;
  frozen_at: Date | null;
  frozen_by: number | null;
  /** How often it was frozen: a link that freezes it works until the next time. */
  freezes: Generated<number>;
  replaced_at: Date | null;
}

export interface PayoutChoices {
  invoice_id: number;
  account_id: number;
  chosen_at: Date;
  chosen_by: number;
}

export interface Payouts {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  kind: PayoutKind;
  account_id: number;
  /** Read in minor units, written as NUMERIC's text. */
  amount: ColumnType<number, string, string>;
  prepared_at: Date;
  prepared_by: number;
  released_at: Date | null;
  released_by: number | null;
  /** The entry of the ledger that its release recorded. */
  entry_tag: string | null;
  cancelled_at: Date | null;
  cancelled_by: number | null;
  cancel_reason: string | null;
}

export interface PayoutTables {
  payout_accounts: PayoutAccounts;
  payout_choices: PayoutChoices;
  payouts: Payouts;
}
