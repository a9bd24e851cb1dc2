import type { ColumnType, Generated } from 'kysely';
import type { AccountCode, AccountKind, CashMethod } from '#contract/journal/accounts.ts';
import type { Deduction, OutsideKind, PostedKind } from '#contract/journal/position.ts';
import type { Payer, ProposalKind } from '#contract/payments/schema.ts';
import type { Money } from './tables.ts';

/** Entries of the journal; append-only. A reversal has a negative amount. */
export interface JournalEntries {
  id: Generated<number>;
  tag: Generated<string>;
  /** Null for an entry without an application. */
  invoice_id: number | null;
  currency_id: number;
  kind: PostedKind | OutsideKind;
  amount: Money;
  carried: ColumnType<number, string | undefined, never>;
  rounded: ColumnType<number, string | undefined, never>;
  occurred_on: string;
  method: CashMethod | null;
  reference: string | null;
  payer: Payer | null;
  deduction: Deduction | null;
  certificate: string | null;
  reverses: number | null;
  reason: string | null;
  recorded_at: Date;
  /** Null for Kasente's own entries. */
  recorded_by: number | null;
  /** The line of a statement that brought the money. */
  statement_line_id: number | null;
  /** The request to pay that brought the money. */
  transfer_id: number | null;
}

/** A debit is above 0, a credit below. */
export interface JournalLines {
  entry_id: number;
  account: AccountCode;
  amount: Money;
}

/** What one officer proposes about an application's money and another confirms; named after its first kind. */
export interface WriteOffProposals {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  kind: Generated<ProposalKind>;
  amount: Money;
  reason: string;
  proposed_at: Date;
  proposed_by: number;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  dropped_by: number | null;
  /** The entry that a reversal reverses. */
  reversed_entry: number | null;
  /** The terms of a receipt. */
  method: CashMethod | null;
  reference: string | null;
  /** The proposer has seen where else the reference is. */
  reference_confirmed: Generated<boolean>;
  paid_on: string | null;
  payer: Payer | null;
  /** The entry that came of it; not kept for write-offs. */
  entry_tag: string | null;
}

export interface JournalTables {
  write_off_proposals: WriteOffProposals;
  journal_accounts: { code: AccountCode; name: string; kind: AccountKind };
  journal_entries: JournalEntries;
  journal_lines: JournalLines;
}
