import { type Kysely, sql } from 'kysely';

/**
 * Texts that a person's own acts send wait for their turn (server/messages/text-turns.ts): whose act a text is of, when it
 * may go, and what it is about, so that a newer one takes the place of one that still waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages
    add column about text,
    add column caused_by integer references persons,
    add column due_at timestamptz,
    add constraint messages_caused_when check (caused_by is null or due_at is not null)`.execute(db);
  await sql`create index messages_caused_by on messages (caused_by, due_at) where caused_by is not null`.execute(db);
  await sql`create index messages_about on messages (recipient, about) where about is not null and state = 'queued'`.execute(
    db,
  );
}
