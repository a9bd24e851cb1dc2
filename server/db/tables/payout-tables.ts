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
  /** The account that it replaces once it is verified. */
  replaces: number | null;
  added_at: Date;
  added_by: number;
  verified_at: Date | null;
  verified_by: number | null;
  /** Why an account that another business also has is right. */
  verified_reason: string | null;
  frozen_at: Date | null;
  frozen_by: number | null;
  /** How often it was frozen: each freeze ends the links from before it. */
  freezes: Generated<number>;
  replaced_at: Date | null;
  /** The provider's last answer about the holder, and the time of the question. */
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
  /** The journal entry of its payment. */
  entry_tag: string | null;
  cancelled_at: Date | null;
  cancelled_by: number | null;
  cancel_reason: string | null;
  /** When its provider finally refused it. */
  failed_at: Date | null;
  /** The payout that it is a later part of; its amount is what was left then. */
  part_of: Generated<number | null>;
  /** The reference of its transfer at the provider. */
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
  /** The account's number when it was sent. */
  number: string;
  holder_name: string | null;
  label: string;
  /** Its reference at the provider, for ever. */
  reference: string;
  state: TransferState;
  refusal: Refusal | null;
  /** When the provider refused to be sent it, if it ever did; until its status call agrees, the refusal does not count. */
  refused_at: Generated<Date | null>;
  /** The provider's last words. */
  said: string | null;
  provider_reference: string | null;
  /** The journal entry of its success. */
  entry_tag: string | null;
  created_at: Date;
  created_by: number;
  sent_at: Date | null;
  asked_at: Date | null;
  /** How many exchanges there were with the provider. */
  asks: Generated<number>;
  /** Null for a payout by file, about which no provider is asked. */
  next_ask_at: Date | null;
  known_at: Date | null;
  /** When officers were told that it is late. */
  told_at: Date | null;
  /** The file for the bank that it is in. */
  batch_id: number | null;
  /** Its reference in that file and on the bank's statement. */
  file_reference: GeneratedAlways<string>;
  /** An officer has proposed to end it by hand: nothing more is sent. */
  is_ending: Generated<boolean>;
}

/** The provider's last answer about a transfer, and its last final one. */
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
  /** The provider's words when it was proposed. */
  said: string;
  proposed_at: Date;
  proposed_by: number;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  /** Null if the provider answered first. */
  dropped_by: number | null;
}

/** Never changed: the file can be written from it again. */
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
