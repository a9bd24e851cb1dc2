import { type Kysely, sql } from 'kysely';

/**
 * Statements whose lines have been matched (docs/decisions/0050-money-that-comes.md): an import is answered before. Until
 * now matching was part of the import.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table matched_statements (
    statement_id integer primary key references statements,
    matched_at timestamptz not null)`.execute(db);
  await sql`insert into matched_statements (statement_id, matched_at) select id, imported_at from statements`.execute(
    db,
  );
  await sql`create trigger matched_statements_append_only before update or delete or truncate on matched_statements
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table matched_statements enable row level security`.execute(db);
}
