import type { Generated, GeneratedAlways } from 'kysely';
import type { Rail, StatementAccount } from '#contract/statements/layouts.ts';
import type { Money } from './tables.ts';

/** The tables of statements and of what comes by them (the others are in tables.ts). Only returns and suspense change. */

export interface Statements {
  id: Generated<number>;
  tag: Generated<string>;
  rail: Rail;
  currency_id: number;
  file_name: string;
  sha256: Buffer;
  /** Of what comes in, of what goes out, or of both. */
  account: Generated<StatementAccount>;
  from_on: string;
  until_on: string;
  line_count: number;
  new_count: number;
  received: Money;
  sent: Money;
  imported_at: Date;
  imported_by: number;
}

export interface StatementLines {
  id: Generated<number>;
  tag: Generated<string>;
  statement_id: number;
  rail: Rail;
  currency_id: number;
  /** Where it stands in its file. */
  place: number;
  provider_id: string;
  /** As referenceKey() has it. */
  provider_key: GeneratedAlways<string>;
  occurred_on: string;
  /** Below 0 for what went out. */
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

/** A statement, and a line that it lacks, or has otherwise: then also what it says of it. */
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

export interface StatementTables {
  statements: Statements;
  statement_lines: StatementLines;
  /** What of a line is in suspense; the database keeps it from the journal's lines. */
  suspense: { line_id: number; amount: Money };
  contradictions: Contradictions;
  known_receipts: { id: Generated<number>; entry_id: number; line_id: number };
  reconciled_days: ReconciledDays;
  explained_differences: ExplainedDifferences;
  suspense_returns: SuspenseReturns;
  /** The days on which officers were told of open differences. */
  reconciliation_news: { day: string; told_at: Date; differences: number };
}
