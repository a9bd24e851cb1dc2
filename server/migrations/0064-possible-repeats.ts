import { type Kysely, sql } from 'kysely';

/**
 * Lines of a bank that may be a payment which another line has, with a reference or without one
 * (docs/decisions/0050-money-that-comes.md), and what an officer said. Until then no entry counts them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table possible_repeats (
    line_id integer primary key references statement_lines,
    of_line_id integer not null references statement_lines,
    is_same boolean,
    answered_at timestamptz,
    answered_by integer references persons,
    constraint possible_repeats_another check (line_id <> of_line_id),
    constraint possible_repeats_answered check (
      (is_same is null) = (answered_at is null) and (is_same is null) = (answered_by is null)))`.execute(db);
  await sql`create index possible_repeats_of_line on possible_repeats (of_line_id)`.execute(db);
  await sql`create index possible_repeats_answered_by on possible_repeats (answered_by)
    where answered_by is not null`.execute(db);
  await sql`create index possible_repeats_open on possible_repeats (line_id)
    where is_same is distinct from false`.execute(db);
  await sql`alter table possible_repeats enable row level security`.execute(db);
}
