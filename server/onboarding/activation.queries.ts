import type { Updateable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';

/** A person's statements about themselves and their business, and their status. */
function selectDetails(connection: Connection, personId: number) {
  return connection
    .selectFrom('persons')
    .select([
      'status',
      'first_name as firstName',
      'last_name as lastName',
      'stated_business as businessName',
      'stated_tin as tin',
      'stated_holder as holderName',
    ])
    .where('id', '=', personId);
}

export function selectActivation(connection: Connection, personId: number) {
  return selectDetails(connection, personId).executeTakeFirstOrThrow();
}

/** A person's statements and status, locked, so that nobody activates the person until the transaction ends. */
export function lockActivation(change: Change, personId: number) {
  return selectDetails(change, personId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export async function updateDetails(change: Change, personId: number, values: Updateable<Tables['persons']>) {
  await change.updateTable('persons').set(values).where('id', '=', personId).execute();
}

/** The number of verified people who wait to be placed in a business. */
export async function countWaiting(connection: Connection): Promise<number> {
  const { rows } = await connection
    .selectFrom('persons')
    .where('waiting', '=', true)
    .select((count) => count.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}
