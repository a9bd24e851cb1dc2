import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ProviderCode } from '#contract/payouts/account.ts';
import type { HolderState } from '#contract/payouts/holders.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import type { TransferState } from '#contract/transfers/asking.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';

/** The tables of payout accounts, payouts and transfers (the others are in tables.ts). */

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
  /** What its provider said last of who holds it, and when it was asked. */
  holder_state: Generated<HolderState | null>;
  holder_said: Generated<string | null>;
  holder_asked_at: Generated<Date | null>;
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
  /** When its provider refused it for good. */
  failed_at: Date | null;
  /** The payout whose later part it is; its amount is what was left by then. */
  part_of: Generated<number | null>;
  /** What its transfer is known by at the provider. */
  reference: string;
}

export interface Transfers {
  id: Generated<number>;
  tag: Generated<string>;
  /** The folder of its rail in server/rails/. */
  rail: string;
  direction: 'out' | 'in';
  invoice_id: number;
  payout_id: number | null;
  /** Read in minor units, written as NUMERIC's text. */
  amount: ColumnType<number, string, never>;
  currency: string;
  /** As it was sent. */
  number: string;
  holder_name: string | null;
  label: string;
  /** What the provider knows it by, for ever. */
  reference: string;
  state: TransferState;
  refusal: Refusal | null;
  /** What the provider said last. */
  said: string | null;
  provider_reference: string | null;
  /** The entry of the journal that its success recorded. */
  entry_tag: string | null;
  created_at: Date;
  created_by: number;
  sent_at: Date | null;
  asked_at: Date | null;
  /** How often the provider was sent or asked. */
  asks: Generated<number>;
  /** Null where nobody is asked: what goes by file. */
  next_ask_at: Date | null;
  known_at: Date | null;
  /** When officers were told that nothing is known. */
  told_at: Date | null;
  /** The file for the bank that it is in. */
  batch_id: number | null;
  /** What such a file and the bank's statement name it by. */
  file_reference: GeneratedAlways<string>;
  /** An officer has proposed to end it by hand: nothing more is sent. */
  is_ending: Generated<boolean>;
}

/** What the provider said of a transfer when it was asked last, and its last word on how it ended. */
export interface ProviderRecords {
  transfer_id: number;
  asked_at: Date;
  said: string;
  known_at: Date | null;
  outcome: 'paid' | 'notPaid' | null;
  provider_reference: string | null;
  /** Read in minor units, written as NUMERIC's text. */
  amount: ColumnType<number | null, string | null, string | null>;
}

export interface TransferEndings {
  id: Generated<number>;
  tag: Generated<string>;
  transfer_id: number;
  outcome: 'paid' | 'notPaid';
  provider_reference: string | null;
  reason: string;
  /** What the provider said when it was proposed. */
  said: string;
  proposed_at: Date;
  proposed_by: number;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  /** Nobody where the provider's own answer came first. */
  dropped_by: number | null;
}

/** Never changed: its file is written from it again. */
export interface PayoutBatches {
  id: Generated<number>;
  tag: Generated<string>;
  number: number;
  rail: string;
  currency: string;
  from_number: string;
  from_name: string;
  payout_count: number;
  total: ColumnType<number, string, never>;
  sha256: Buffer;
  made_at: Date;
  made_by: number;
}

export interface PayoutTables {
  payout_accounts: PayoutAccounts;
  payout_choices: PayoutChoices;
  payouts: Payouts;
  transfers: Transfers;
  provider_records: ProviderRecords;
  transfer_endings: TransferEndings;
  payout_batches: PayoutBatches;
}
