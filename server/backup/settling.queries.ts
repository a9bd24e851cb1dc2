import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** What was taken away so that nothing works twice that was used up after the backup was made. */
export interface Settled {
  readonly sessions: number;
  /** Messages that waited: nobody knows whether they were sent since. */
  readonly messages: number;
}

/**
 * Ends every session, code, link and half-done login of a restored database, and gives up the messages that waited: each
 * may have been ended, used or sent since the backup was made. An upload under way may have become a document since: its
 * file is nobody's now, but not the sweep's to remove; a look at the store finds it, and a person decides.
 */
export async function settleRestored(connection: Connection): Promise<Settled> {
  for (const table of ['code_attempts', 'pending_files', 'reset_grants', 'second_steps'] as const) {
    await connection.deleteFrom(table).execute();
  }
  const { numDeletedRows } = await connection.deleteFrom('sessions').executeTakeFirst();
  const { rows } = await sql<{ messages: number }>`
    with given_up as (update messages
      set state = 'failed', last_error = 'it waited when the backup was made: it may have been sent since'
      where state in ('queued', 'sending') returning id)
    select count(*)::int as messages from given_up`.execute(connection);
  return { sessions: Number(numDeletedRows), messages: rows[0]?.messages ?? 0 };
}
