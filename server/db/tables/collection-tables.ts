import type { ColumnType, Generated } from 'kysely';
import type { CollectionKind, ContactChannel } from '#contract/collections/schema.ts';

/** What people said and did about advances to be paid back; append-only (docs/decisions/0046-paying-back.md). */
export interface CollectionTables {
  repayment_reminders: {
    invoice_id: number;
    due_on: string;
    /** Counted from the due date. */
    day: number;
    at: Date;
    /** How many people got the message. */
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
  /** The day of the buyer's payment, of a promise, or of the next step. */
  day: string | null;
  amount: ColumnType<number | null, string | null, never>;
  channel: ContactChannel | null;
  next_step: string | null;
}
