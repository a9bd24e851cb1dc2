import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { isOfficer } from '#server/sessions/officers.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The officers to whom a case can be assigned. */
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

/** Assigns a locked case to an officer, or unassigns it. */
export function updateAssignment(change: Change, invoiceId: number, to: number | null, at: Date): void {
  const hold = { holder_id: to, held_since: to === null ? null : at };
  change.send(change.updateTable('invoices').set(hold).where('id', '=', invoiceId));
}

/** The tag of an existing person. */
export async function selectTag(connection: Connection, personId: number): Promise<string> {
  const person = connection.selectFrom('persons').select('tag').where('id', '=', personId);
  return (await person.executeTakeFirstOrThrow()).tag;
}
