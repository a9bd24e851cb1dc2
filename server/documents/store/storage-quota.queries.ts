import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Lets only one transaction at a time store documents for a business. */
export async function lockStorage(connection: Connection, businessId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente storage'), ${businessId})`.execute(connection);
}

interface Place {
  readonly businessId: number;
  readonly invoiceId: number;
  readonly typeId: number;
}

interface StoredBytes {
  /** The size of all the business's documents. */
  readonly stored: number;
  /** The size of the document that would be replaced. */
  readonly replaced: number;
}

/**
 * The sizes of documents. We sum invoice by invoice, because without statistics PostgreSQL would read every document
 * for a join (docs/decisions/0009-files.md).
 */
export async function selectStoredBytes(connection: Connection, { businessId, invoiceId, typeId }: Place) {
  const { rows } = await sql<StoredBytes>`select
      coalesce(sum((select sum(size_bytes) from documents where invoice_id = invoices.id)), 0)::float8 as stored,
      coalesce((select size_bytes from documents where invoice_id = ${invoiceId} and document_type_id = ${typeId}), 0) as replaced
    from invoices where business_id = ${businessId}`.execute(connection);
  return rows[0] ?? { stored: 0, replaced: 0 };
}
