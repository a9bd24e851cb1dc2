import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';

/** The stored letter with that digest, if any. */
export function selectLetter(connection: Connection, digest: Buffer) {
  return connection.selectFrom('drawn_letters').selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** Stores a letter, replacing one with the same digest. */
export async function insertLetter(connection: Connection, letter: Tables['drawn_letters']): Promise<void> {
  await connection
    .insertInto('drawn_letters')
    .values(letter)
    .onConflict((conflict) => conflict.column('digest').doUpdateSet(letter))
    .execute();
}

/** Records that a letter was requested. */
export async function touchLetter(connection: Connection, digest: Buffer, now: Date): Promise<void> {
  await connection.updateTable('drawn_letters').set({ asked_at: now }).where('digest', '=', digest).execute();
}

/** Deletes the letters not requested since a time. */
export async function forgetLettersBefore(connection: Connection, before: Date): Promise<void> {
  await connection.deleteFrom('drawn_letters').where('asked_at', '<=', before).execute();
}
