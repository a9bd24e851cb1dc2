import { sql } from 'kysely';
import { type Connection, write } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';

type UploadRow = Tables['unfinished_uploads'];

/** The identity of an upload: its owner, its file, and the document that it is for. */
export interface UploadPlace {
  readonly personId: number;
  readonly invoiceId: number;
  readonly typeId: number;
  readonly sha256: Buffer;
}

export interface NewUpload extends UploadPlace {
  readonly fileName: UploadRow['file_name'];
  readonly size: UploadRow['size_bytes'];
}

/** Starts an upload, or finds the unfinished one and touches it. Returns its tag. */
export async function upsertUpload(connection: Connection, upload: NewUpload, now: Date): Promise<string> {
  const { tag } = await connection
    .insertInto('unfinished_uploads')
    .values({
      person_id: upload.personId,
      invoice_id: upload.invoiceId,
      document_type_id: upload.typeId,
      file_name: upload.fileName,
      size_bytes: upload.size,
      sha256: upload.sha256,
      touched_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'invoice_id', 'document_type_id', 'sha256'])
        .where('document_tag', 'is', null)
        .doUpdateSet({ touched_at: now, file_name: upload.fileName, size_bytes: upload.size }),
    )
    .returning('tag')
    .executeTakeFirstOrThrow();
  return tag;
}

/** Deletes the unfinished uploads of a person or a business, except the most recently touched ones. */
export async function keepNewestUploads(
  connection: Connection,
  whose: { readonly personId: number } | { readonly businessId: number },
  most: number,
): Promise<void> {
  await connection
    .deleteFrom('unfinished_uploads')
    .where('id', 'in', (query) =>
      query
        .selectFrom('unfinished_uploads')
        .select('id')
        .where(({ eb, selectFrom }) =>
          'personId' in whose
            ? eb('person_id', '=', whose.personId)
            : eb('invoice_id', 'in', selectFrom('invoices').select('id').where('business_id', '=', whose.businessId)),
        )
        .where('document_tag', 'is', null)
        .orderBy('touched_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .execute();
}

function ownUpload(connection: Connection, personId: number, tag: string) {
  return connection
    .selectFrom('unfinished_uploads as upload')
    .innerJoin('invoices as invoice', 'invoice.id', 'upload.invoice_id')
    .where('upload.tag', '=', tag)
    .where('upload.person_id', '=', personId)
    .select([
      'upload.id',
      'upload.tag',
      'upload.person_id as personId',
      'upload.invoice_id as invoiceId',
      'invoice.tag as invoiceTag',
      'upload.document_type_id as typeId',
      'upload.file_name as fileName',
      'upload.size_bytes as size',
      'upload.sha256',
      'upload.document_tag as documentTag',
    ]);
}

export type UploadRecord = Awaited<ReturnType<ReturnType<typeof ownUpload>['execute']>>[number];

/** A person's own upload; nobody else sees it. */
export function selectUpload(connection: Connection, personId: number, tag: string): Promise<UploadRecord | undefined> {
  return ownUpload(connection, personId, tag).executeTakeFirst();
}

/** Like {@link selectUpload}, and locks the row, which serialises its changes. */
export function lockUpload(connection: Connection, personId: number, tag: string): Promise<UploadRecord | undefined> {
  return ownUpload(connection, personId, tag).forUpdate('upload').executeTakeFirst();
}

/** The numbers of the received parts, in order. */
export async function selectArrived(connection: Connection, uploadId: number): Promise<number[]> {
  const rows = await connection
    .selectFrom('upload_parts')
    .select('part')
    .where('upload_id', '=', uploadId)
    .orderBy('part')
    .execute();
  return rows.map(({ part }) => part);
}

/** Stores a part; if one with that number exists already, that one stays. */
export async function insertPart(connection: Connection, part: Tables['upload_parts']): Promise<void> {
  await connection
    .insertInto('upload_parts')
    .values(part)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Touches an upload. */
export async function touchUpload(connection: Connection, id: number, now: Date): Promise<void> {
  await connection.updateTable('unfinished_uploads').set({ touched_at: now }).where('id', '=', id).execute();
}

/**
 * The content of a part; undefined if it no longer exists. We read it as base64: the driver decodes everything that it
 * receives as UTF-8, even bytes, and PostgreSQL's own text form of bytes is half as long again.
 */
export async function selectPart(connection: Connection, uploadId: number, part: number): Promise<Buffer | undefined> {
  const row = await connection
    .selectFrom('upload_parts')
    .select(sql<string>`encode(content, 'base64')`.as('content'))
    .where('upload_id', '=', uploadId)
    .where('part', '=', part)
    .executeTakeFirst();
  return row && Buffer.from(row.content, 'base64');
}

/** Records the document that an upload resulted in, and deletes its parts. */
export async function finishWith(connection: Connection, id: number, documentTag: string): Promise<void> {
  const finish = sql`with finished as (
      update unfinished_uploads set document_tag = ${documentTag} where id = ${id})
    delete from upload_parts where upload_id = ${id}`;
  await write(connection, finish.compile(connection));
}

/** Deletes an upload with its parts; false if the person has none. */
export async function deleteUpload(connection: Connection, personId: number, tag: string): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('unfinished_uploads')
    .where('tag', '=', tag)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes the uploads not touched since that time. */
export async function deleteUploadsBefore(connection: Connection, before: Date): Promise<void> {
  await connection.deleteFrom('unfinished_uploads').where('touched_at', '<', before).execute();
}
