import type { Generated } from 'kysely';
import type { FlagKind } from '#contract/desk/schema.ts';

/** Possible duplicates as TypeScript sees them; see tables.ts. */

export interface InvoiceFlags {
  invoice_id: number;
  other_invoice_id: number;
  kind: FlagKind;
  files: Generated<string[]>;
  found_at: Date;
}

/** What an officer answers for, on one of the two invoices; only added to. */
export interface FlagAcknowledgements {
  id: Generated<number>;
  invoice_id: number;
  other_invoice_id: number;
  kind: FlagKind;
  /** The files that were the same by then: another one opens the flag again. */
  files: Generated<string[]>;
  reason: string;
  acknowledged_at: Date;
  acknowledged_by: number;
}

export interface FlagTables {
  invoice_flags: InvoiceFlags;
  flag_acknowledgements: FlagAcknowledgements;
}
