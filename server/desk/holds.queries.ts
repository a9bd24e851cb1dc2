import type { Connection } from '#server/platform/database.ts';
import { isOfficer } from '#server/platform/officers.ts';
import { personName } from '#server/platform/person-name.ts';

/** Whoever may be handed a case. */
function selectOfficers(connection: Connection) {
  return connection
    .selectFrom('persons')
    .where(isOfficer('persons'))
    .select(['persons.id', 'persons.tag', 'persons.business_id as businessId'])
    .select(personName('persons').as('name'));
}

/** The officer with that tag. */
export function selectOfficer(connection: Connection, tag: string) {
  return selectOfficers(connection).where('persons.tag', '=', tag).executeTakeFirst();
}

/** Every officer, by name. */
export function selectAllOfficers(connection: Connection) {
  return selectOfficers(connection).orderBy('name').orderBy('persons.id').execute();
}

/**
 * Gives the hold on a case from one (null: nobody) to another, and answers the tag of who had it; undefined where it was
 * somebody else's.
 */
export async function updateHold(
  connection: Connection,
  invoiceId: number,
  { from, to, at }: { readonly from: number | null; readonly to: number | null; readonly at: Date },
): Promise<{ holder: string | null } | undefined> {
  const { numUpdatedRows } = await connection
    .updateTable('invoices')
    .set({ holder_id: to, held_since: to === null ? null : at })
    .where('id', '=', invoiceId)
    .where('holder_id', from === null ? 'is' : '=', from)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return undefined;
  if (from === null) return { holder: null };
  const holder = await connection.selectFrom('persons').select('tag').where('id', '=', from).executeTakeFirstOrThrow();
  return { holder: holder.tag };
}
