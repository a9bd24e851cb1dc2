import { type Kysely, sql } from 'kysely';

/** Messages are counted each time that Prometheus asks (server/messages/messages.metrics.ts): what was sent of late, and what died. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index messages_sent on messages (channel, sent_at) where state = 'sent'`.execute(db);
  await sql`create index messages_dead on messages (channel, created_at) where state in ('failed', 'expired')`.execute(
    db,
  );
}
