import { type Kysely, sql } from 'kysely';

/**
 * When a provider refused a transfer that it was sent: the refusal counts once its status call agrees, and until then the
 * transfer is unknown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transfers add column refused_at timestamptz,
    add constraint transfers_refused_at check (refused_at is null or refusal is not null)`.execute(db);
}
