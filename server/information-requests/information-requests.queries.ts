import { type Insertable, sql, type Updateable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';

/** Stores a request with its document types. */
export async function insertRequest(
  connection: Connection,
  request: Insertable<Tables['information_requests']>,
  typeIds: readonly number[],
): Promise<void> {
  const { id } = await connection
    .insertInto('information_requests')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into information_request_documents (request_id, document_type_id, earlier_document_id)
    select ${id}, types.id, documents.id
    from unnest(${[...typeIds]}::integer[]) as types (id)
    left join documents on documents.invoice_id = ${request.invoice_id} and documents.document_type_id = types.id`.execute(
    connection,
  );
}

/** The names of document types, in display order. */
export async function selectTypeNames(connection: Connection, typeIds: readonly number[]): Promise<string[]> {
  if (typeIds.length === 0) return [];
  const rows = await connection
    .selectFrom('document_types')
    .select('name')
    .where('id', 'in', typeIds)
    .orderBy('position')
    .execute();
  return rows.map(({ name }) => name);
}

/** An application's requests, newest first. */
export function selectRequests(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('information_requests')
    .select(['id', 'tag', 'question', 'asked_at', 'closed_at', 'answer', 'answered_by', 'recalled'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('id', 'desc')
    .execute();
}

/**
 * The requested documents of an application, in display order. `uploaded` is whether it had arrived when the request
 * was closed or, for the open one, whether it has arrived.
 */
export function selectAskedDocuments(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('information_requests as request')
    .innerJoin('information_request_documents as asked', 'asked.request_id', 'request.id')
    .innerJoin('document_types as type', 'type.id', 'asked.document_type_id')
    .where('request.invoice_id', '=', invoiceId)
    .orderBy('type.position')
    .select(['request.id as requestId', 'type.id as typeId', 'type.name as type'])
    .select(sql<boolean>`asked.uploaded or (request.closed_at is null and ${hasCome})`.as('uploaded'))
    .select(sql<boolean>`asked.earlier_document_id is not null`.as('hadEarlier'))
    .execute();
}

/** Whether there is a new document since the `request` for one `asked` document. */
const hasCome = sql<boolean>`exists (select from documents where documents.invoice_id = request.invoice_id
  and documents.document_type_id = asked.document_type_id
  and documents.id is distinct from asked.earlier_document_id)`;

export type RequestRow = Awaited<ReturnType<typeof selectRequests>>[number];
export type AskedDocumentRow = Awaited<ReturnType<typeof selectAskedDocuments>>[number];

/** Closes the open request of a locked application, recording which documents had arrived. */
export async function closeOpenRequest(
  connection: Connection,
  invoiceId: number,
  closed: Updateable<Tables['information_requests']>,
): Promise<void> {
  await sql`update information_request_documents as asked set uploaded = true from information_requests as request
    where request.id = asked.request_id and request.invoice_id = ${invoiceId} and request.closed_at is null
      and ${hasCome}`.execute(connection);
  await connection
    .updateTable('information_requests')
    .set(closed)
    .where('invoice_id', '=', invoiceId)
    .where('closed_at', 'is', null)
    .execute();
}
