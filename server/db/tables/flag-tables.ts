import type { Generated } from 'kysely';
import type { DuplicateKind, FlagKind } from '#contract/desk/schema.ts';

/** Possible duplicates as TypeScript sees them; see tables.ts. */

export interface InvoiceFlags {
  invoice_id: number;
  other_invoice_id: number;
  kind: DuplicateKind;
  files: Generated<string[]>;
  found_at: Date;
}

/** Acknowledgements, on one of the two invoices; append-only. */
export interface FlagAcknowledgements {
  id: Generated<number>;
  invoice_id: number;
  /** Null for a flag about the case itself. */
  other_invoice_id: number | null;
  kind: FlagKind;
  /** What the flag said when it was acknowledged; another fact opens it again. */
  fact: string | null;
  /** The identical files of both invoices then; another one opens the flag again. */
  files: Generated<string[]>;
  reason: string;
  acknowledged_at: Date;
  acknowledged_by: number;
}

export interface FlagTables {
  invoice_flags: InvoiceFlags;
  flag_acknowledgements: FlagAcknowledgements;
}
