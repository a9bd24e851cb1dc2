import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** A person's own phone number, in plain form; null if we have none. */
export async function selectOwnPhone(connection: Connection, personId: number): Promise<string | null> {
  const person = await connection
    .selectFrom('persons')
    .where('id', '=', personId)
    .select(['username', 'username_kind as kind', 'phone'])
    .executeTakeFirst();
  if (person === undefined) return null;
  return person.kind === 'phone' ? person.username : person.phone;
}

/** Serialises a person's requests over all applications, so that they can be counted. */
export async function lockRequests(change: Change, personId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente requests to pay'), ${personId}::integer)`.execute(change);
}
