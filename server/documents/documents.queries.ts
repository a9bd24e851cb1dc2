import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Scope } from '#server/invoices/invoices.queries.ts';

function typesWithDocuments(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('document_types')
    .leftJoin('documents', (join) =>
      join.onRef('documents.document_type_id', '=', 'document_types.id').on('documents.invoice_id', '=', invoiceId),
    )
    .orderBy('document_types.position');
}

/** Every document type in order, with the invoice's document. */
export function selectTypesWithDocuments(connection: Connection, invoiceId: number) {
  return typesWithDocuments(connection, invoiceId)
    .select([
      'document_types.name as type',
      'document_types.id as typeId',
      'document_types.mandatory',
      'documents.tag',
      'documents.file_name as fileName',
      'documents.media_type as mediaType',
      'documents.size_bytes as size',
      'documents.removed',
    ])
    .execute();
}

export type TypeWithDocument = Awaited<ReturnType<typeof selectTypesWithDocuments>>[number];

/** The names of the mandatory document types that the invoice lacks, in order. */
export async function selectMissingMandatory(connection: Connection, invoiceId: number): Promise<string[]> {
  const rows = await typesWithDocuments(connection, invoiceId)
    .where('document_types.mandatory', '=', sql.lit(true))
    .where('documents.id', 'is', null)
    .select('document_types.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Whether there is such a document type. */
export async function isDocumentType(connection: Connection, typeId: number): Promise<boolean> {
  const row = await connection.selectFrom('document_types').select('id').where('id', '=', typeId).executeTakeFirst();
  return row !== undefined;
}

/** The name of a document type. */
export async function selectTypeName(connection: Connection, typeId: number): Promise<string> {
  const type = connection.selectFrom('document_types').select('name').where('id', '=', typeId);
  return (await type.executeTakeFirstOrThrow()).name;
}

/** Whether an open request asks for a document of that type. */
export async function isAskedFor(connection: Connection, invoiceId: number, typeId: number): Promise<boolean> {
  const row = await connection
    .selectFrom('information_requests as request')
    .innerJoin('information_request_documents as asked', 'asked.request_id', 'request.id')
    .select('request.id')
    .where('request.invoice_id', '=', invoiceId)
    .where('request.closed_at', 'is', null)
    .where('asked.document_type_id', '=', typeId)
    .executeTakeFirst();
  return row !== undefined;
}

const documentColumns = [
  'documents.tag',
  'documents.document_type_id as typeId',
  'documents.storage_key as storageKey',
  'documents.file_name as fileName',
  'documents.media_type as mediaType',
  'documents.size_bytes as size',
  'documents.sha256',
  'documents.stored_sha256 as storedSha256',
  'documents.removed',
] as const;

/** A document within the scope, and the tag of its invoice. */
export function selectDocument(connection: Connection, scope: Scope, tag: string) {
  const query = connection
    .selectFrom('documents')
    .innerJoin('invoices', 'invoices.id', 'documents.invoice_id')
    .where('documents.tag', '=', tag)
    .select(documentColumns)
    .select('invoices.tag as invoiceTag');
  return (
    scope === 'everybody' ? query : query.where('invoices.business_id', '=', scope.businessId)
  ).executeTakeFirst();
}

export type DocumentRecord = NonNullable<Awaited<ReturnType<typeof selectDocument>>>;

/** Deletes a document of a locked invoice, by tag or by type, and returns it. */
export function deleteDocumentOf(
  connection: Connection,
  invoiceId: number,
  which: { readonly tag: string } | { readonly typeId: number },
) {
  const query = connection.deleteFrom('documents').where('invoice_id', '=', invoiceId).returning(documentColumns);
  return (
    'tag' in which ? query.where('tag', '=', which.tag) : query.where('document_type_id', '=', which.typeId)
  ).executeTakeFirst();
}

/** Deletes every document of a locked invoice, and returns them. */
export function deleteDocumentsOf(connection: Connection, invoiceId: number) {
  return connection.deleteFrom('documents').where('invoice_id', '=', invoiceId).returning(documentColumns).execute();
}

/** Inserts a document whose file is already in the store. */
export function insertDocument(change: Change, values: Insertable<Tables['documents']>): void {
  change.send(change.insertInto('documents').values(values));
}
