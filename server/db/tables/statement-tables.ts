import type { Generated, GeneratedAlways } from 'kysely';
import type { Rail, StatementAccount } from '#contract/statements/layouts.ts';
import type { Money } from './tables.ts';

/** Tables of statements and incoming money (the others are in tables.ts). Only proposals and suspense change. */

export interface Statements {
  id: Generated<number>;
  tag: Generated<string>;
  rail: Rail;
  currency_id: number;
  file_name: string;
  sha256: Buffer;
  /** For incoming money, for outgoing money, or for both. */
  account: Generated<StatementAccount>;
  from_on: string;
  until_on: string;
  line_count: number;
  new_count: number;
  received: Money;
  sent: Money;
  imported_at: Date;
  imported_by: number;
  /** The account's last withdrawal before the import: the same file may come again after one. */
  after_withdrawal: Generated<number | null>;
}

export interface StatementLines {
  id: Generated<number>;
  tag: Generated<string>;
  statement_id: number;
  rail: Rail;
  currency_id: number;
  /** Its line number in the file. */
  place: number;
  provider_id: string;
  /** By referenceKey(). */
  reference_key: GeneratedAlways<string>;
  occurred_on: string;
  /** Below 0 for outgoing money. */
  amount: Money;
  payer_number: string | null;
  payer_name: string | null;
  details: string;
}

export interface ReconciledDays {
  id: Generated<number>;
  tag: Generated<string>;
  rail: Rail;
  currency_id: number;
  day: string;
  by_statement: Money;
  by_journal: Money;
  closed_at: Date;
  closed_by: number;
}

export interface ExplainedDifferences {
  id: Generated<number>;
  tag: Generated<string>;
  rail: Rail;
  currency_id: number;
  day: string;
  difference: string;
  reason: string;
  explained_at: Date;
  explained_by: number;
}

export interface SuspenseReturns {
  id: Generated<number>;
  tag: Generated<string>;
  line_id: number;
  amount: Money;
  reason: string;
  proposed_at: Date;
  proposed_by: number;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  entry_tag: string | null;
  dropped_at: Date | null;
  dropped_by: number | null;
}

/** A proposal to withdraw a statement. Confirmed, the statement counts no more. */
export interface StatementWithdrawals {
  id: Generated<number>;
  tag: Generated<string>;
  statement_id: number;
  reason: string;
  proposed_at: Date;
  proposed_by: number;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  dropped_by: number | null;
}

/** A statement and a line that it lacks or contradicts; then also what it says. */
export interface Contradictions {
  id: Generated<number>;
  line_id: number;
  statement_id: number;
  occurred_on: string | null;
  amount: Money | null;
  payer_number: string | null;
  payer_name: string | null;
  details: string | null;
}

/** A line that may be the payment of another line, and whether it is. */
export interface PossibleRepeats {
  line_id: number;
  of_line_id: number;
  is_same: boolean | null;
  answered_at: Date | null;
  answered_by: number | null;
}

export interface StatementTables {
  statements: Statements;
  /** A view: without the withdrawn ones. */
  standing_statements: Omit<Statements, 'after_withdrawal'>;
  /** Every line, also of withdrawn statements; for the history of entries. */
  imported_lines: StatementLines;
  /** A view: without the lines of withdrawn statements. New lines are inserted here. */
  statement_lines: StatementLines;
  statement_withdrawals: StatementWithdrawals;
  /** What is left of a line in suspense; the database derives it from the journal's lines. */
  suspense: { line_id: number; amount: Money };
  /** Statements whose lines have been matched; one without a row is still being matched. */
  matched_statements: { statement_id: number; matched_at: Date };
  contradictions: Contradictions;
  possible_repeats: PossibleRepeats;
  known_receipts: { id: Generated<number>; entry_id: number; line_id: number };
  reconciled_days: ReconciledDays;
  explained_differences: ExplainedDifferences;
  suspense_returns: SuspenseReturns;
  /** The days on which officers were told about open differences. */
  reconciliation_news: { day: string; told_at: Date; differences: number };
}
