import type { ColumnType, Generated } from 'kysely';
import type { CollectionKind, ContactChannel } from '#contract/collections/schema.ts';

/** What was said and done about advances that are to be paid back; append-only (docs/decisions/0046-paying-back.md). */
export interface CollectionTables {
  repayment_reminders: {
    invoice_id: number;
    due_on: string;
    /** Counted from the due date. */
    day: number;
    at: Date;
    /** How many people were told. */
    told: number;
  };
  collection_entries: CollectionEntries;
}

export interface CollectionEntries {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  kind: CollectionKind;
  at: Date;
  by_person: number;
  note: string | null;
  /** When the buyer will pay, by when a payment is promised, or of the next step. */
  day: string | null;
  amount: ColumnType<number | null, string | null, never>;
  channel: ContactChannel | null;
  next_step: string | null;
}
