import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The documents of an invoice, with each file's digest. */
export function selectDocumentDigests(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('documents')
    .innerJoin('document_types as type', 'type.id', 'documents.document_type_id')
    .where('documents.invoice_id', '=', invoiceId)
    .orderBy('type.position')
    .select(['type.name as type', 'documents.file_name as fileName', 'documents.sha256'])
    .execute();
}

/** The documents of an invoice according to the audit log, including replaced ones. */
export async function selectRecordedDocuments(connection: Connection, invoiceTag: string): Promise<string[]> {
  const rows = await connection
    .selectFrom('audit_events')
    .where('subject_type', '=', 'document')
    .where(sql<string>`coalesce(after, before) ->> 'invoiceTag'`, '=', invoiceTag)
    .select('subject_tag as tag')
    .distinct()
    .execute();
  return rows.map(({ tag }) => tag);
}

/** People's names by tag. */
export async function selectPersonNames(connection: Connection, tags: readonly string[]) {
  const rows = await connection
    .selectFrom('persons')
    .where(sql<boolean>`tag = any(${tags})`)
    .select(['tag', personName('persons').as('name')])
    .execute();
  return new Map(rows.map(({ tag, name }) => [tag, name]));
}
