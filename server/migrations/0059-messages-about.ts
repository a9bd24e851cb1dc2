import { type Kysely, sql } from 'kysely';

/** Waiting messages are looked up by what they are about; the recipient in front made each look-up read the whole index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index messages_about`.execute(db);
  await sql`create index messages_about on messages (about) where about is not null and state = 'queued'`.execute(db);
}
