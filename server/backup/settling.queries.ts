import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Invalidates credentials, so that nothing used since the backup works again. */
export interface Settled {
  readonly sessions: number;
  /** Waiting messages, which may have been sent since. */
  readonly messages: number;
}

/**
 * Ends every session, code, link and login at its second step in a restored database, and gives up waiting messages.
 * Each of them may have been ended, used or sent since the backup. An unfinished upload may have become a document
 * since then, whose file has no owner now. The sweep must not remove such a file: the store audit finds it, and a
 * person decides.
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
