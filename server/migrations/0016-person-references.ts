import { type Kysely, sql } from 'kysely';

/**
 * Removing a person asks every table that refers to persons whether it still names them, and each now has an index that answers;
 * `invoices.holder_id` and what goes with a person have theirs. Columns that may be null have partial ones, which that
 * question can use as well, so that saving a draft writes to one more index alone: a new one to `invoices_created_by`.
 * Officers have one of their own (`selectAllOfficers`): there are few among many people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_created_by on invoices (created_by)`.execute(db);
  for (const column of ['submitted_by', 'first_approved_by', 'decided_by']) await indexNamed(db, 'invoices', column);
  await sql`create index documents_uploaded_by on documents (uploaded_by)`.execute(db);
  await indexNamed(db, 'application_steps', 'by_person');
  await sql`create index information_requests_asked_by on information_requests (asked_by)`.execute(db);
  await indexNamed(db, 'information_requests', 'answered_by');
  await sql`create index key_facts_acceptances_accepted_by on key_facts_acceptances (accepted_by)`.execute(db);
  await sql`create index ledger_entries_recorded_by on ledger_entries (recorded_by)`.execute(db);
  await sql`create index funding_limits_set_by on funding_limits (set_by)`.execute(db);
  await sql`create index unfinished_uploads_person on unfinished_uploads (person_id)`.execute(db);
  await sql`create index persons_officers on persons (id) where permissions && array['KADMIN', 'KSTAF']`.execute(db);
}

/** Of the rows that name somebody. */
async function indexNamed(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await sql`create index ${sql.ref(`${table}_${column}`)} on ${sql.table(table)} (${sql.ref(column)})
    where ${sql.ref(column)} is not null`.execute(db);
}
