import { type Kysely, sql } from 'kysely';

/**
 * The audit log as a hash chain for each subject, and anchors over the heads of the chains (docs/decisions/0015). A chain
 * a subject, so that a change waits only for changes to the same subject.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createChain(db);
  await createAnchors(db);
}

async function createChain(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_events add column sequence integer, add column hash bytea`.execute(db);
  // Line by line what server/audit/chain.ts writes and hashes again; jsonb writes itself the same way every time.
  await sql`create function audit_event_hash(previous bytea, event audit_events) returns bytea
    language sql stable as $$
      select sha256(coalesce(previous, ''::bytea) || convert_to(concat_ws(chr(10),
        event.sequence, (extract(epoch from event.at) * 1000000)::bigint, coalesce(event.actor_tag::text, '-'),
        event.action, event.subject_type, event.subject_tag, coalesce(event.before::text, '-'),
        coalesce(event.after::text, '-'), coalesce(event.ip, '-'), coalesce(event.request_id, '-')), 'UTF8'))
    $$`.execute(db);
  await sql`create function chain_audit_event() returns trigger language plpgsql as $$
    declare last record;
    begin
      perform pg_advisory_xact_lock(hashtextextended('kasente audit ' || new.subject_tag, 0));
      select sequence, hash into last from audit_events
        where subject_tag = new.subject_tag order by sequence desc limit 1;
      new.sequence := coalesce(last.sequence, 0) + 1;
      new.hash := audit_event_hash(last.hash, new);
      return new;
    end $$`.execute(db);
  await chainEarlierEvents(db);
  await sql`alter table audit_events alter column sequence set not null, alter column hash set not null,
    add constraint audit_events_chain unique (subject_tag, sequence)`.execute(db);
  await sql`drop index audit_events_subject`.execute(db);
  // The history of an application holds that of its documents, also of those that were replaced.
  await sql`create index audit_events_documents on audit_events ((coalesce(after, before) ->> 'invoiceTag'))
    where subject_type = 'document'`.execute(db);
  await sql`create index audit_events_at on audit_events (at)`.execute(db);
  await sql`create trigger audit_events_chained before insert on audit_events
    for each row execute function chain_audit_event()`.execute(db);
}

/** What was recorded before there were chains is chained in the order in which it was recorded. */
async function chainEarlierEvents(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_events disable trigger audit_events_append_only`.execute(db);
  await sql`create index audit_events_earlier on audit_events (subject_tag, sequence)`.execute(db);
  await sql`do $$
    declare event audit_events; last record;
    begin
      for event in select * from audit_events order by id loop
        select sequence, hash into last from audit_events
          where subject_tag = event.subject_tag and sequence is not null order by sequence desc limit 1;
        event.sequence := coalesce(last.sequence, 0) + 1;
        update audit_events set sequence = event.sequence, hash = audit_event_hash(last.hash, event)
          where id = event.id;
      end loop;
    end $$`.execute(db);
  await sql`drop index audit_events_earlier`.execute(db);
  await sql`alter table audit_events enable trigger audit_events_append_only`.execute(db);
}

/** An anchor seals the heads of the chains that have moved since the one before, with the server's secret. */
async function createAnchors(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_anchors (
    id integer generated always as identity primary key,
    at timestamptz not null,
    seal bytea not null)`.execute(db);
  await sql`create table audit_anchor_heads (
    anchor_id integer not null references audit_anchors,
    subject_tag uuid not null,
    sequence integer not null,
    hash bytea not null,
    primary key (subject_tag, sequence))`.execute(db);
  await sql`create index audit_anchor_heads_of_anchor on audit_anchor_heads (anchor_id, subject_tag)`.execute(db);
  for (const table of ['audit_anchors', 'audit_anchor_heads']) {
    await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate
      on ${sql.table(table)} for each statement execute function refuse_change()`.execute(db);
  }
}
