import { type Kysely, sql } from 'kysely';

/** The append-only record of every change, and the answers kept for repeated requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_events (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor_tag uuid,
    action text not null,
    subject_type text not null,
    subject_tag uuid not null,
    before jsonb,
    after jsonb,
    ip text,
    request_id text)`.execute(db);
  await sql`create index audit_events_subject on audit_events (subject_tag, id)`.execute(db);
  await sql`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$`.execute(db);
  await sql`create trigger audit_events_append_only before update or delete or truncate on audit_events
    for each statement execute function refuse_change()`.execute(db);
  await sql`create table idempotency_keys (
    person_id integer not null references persons on delete cascade,
    key text not null check (length(key) between 1 and 200),
    request_hash bytea not null,
    reply jsonb,
    created_at timestamptz not null,
    primary key (person_id, key))`.execute(db);
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db);
}
