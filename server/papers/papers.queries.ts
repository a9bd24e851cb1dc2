import { sql } from 'kysely';
import type { Connection } from '#server/platform/database.ts';
import { personName } from '#server/platform/person-name.ts';

/** The names that papers need of an invoice. */
export function selectNames(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('invoices')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .where('invoices.id', '=', invoiceId)
    .select(['client.name as client', 'buyer.name as buyer'])
    .executeTakeFirstOrThrow();
}

/** The documents of an invoice, with what identifies each file. */
export function selectDocumentDigests(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('documents')
    .innerJoin('document_types as type', 'type.id', 'documents.document_type_id')
    .where('documents.invoice_id', '=', invoiceId)
    .orderBy('type.position')
    .select(['type.name as type', 'documents.file_name as fileName', 'documents.sha256'])
    .execute();
}

/** Every event of an invoice and of its documents, also of those that were replaced, oldest first. */
export function selectHistory(connection: Connection, invoiceTag: string) {
  return connection
    .selectFrom('audit_events as event')
    .leftJoin('persons as actor', 'actor.tag', 'event.actor_tag')
    .where((where) =>
      where.or([
        where('event.subject_tag', '=', invoiceTag),
        where.and([
          where('event.subject_type', '=', 'document'),
          where(sql<string>`coalesce(event.after, event.before) ->> 'invoiceTag'`, '=', invoiceTag),
        ]),
      ]),
    )
    .orderBy('event.id')
    .select([
      'event.at',
      'event.action',
      'event.sequence',
      'event.subject_tag as subjectTag',
      'event.hash',
      'event.after',
      personName('actor').$castTo<string | null>().as('actor'),
    ])
    .execute();
}
