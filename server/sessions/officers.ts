import { type SqlBool, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Whether a row of persons is an officer's: active, and staff. That of the index `persons_officers`, to the letter. */
export function isOfficer(alias: 'persons' | 'officer') {
  const [status, permissions] = [sql.ref(`${alias}.status`), sql.ref(`${alias}.permissions`)];
  return sql<SqlBool>`${status} = 'Active' and ${permissions} && array['KADMIN', 'KSTAF']`;
}

/** An officer, and the business they belong to, if any. */
export interface OfficerRow {
  readonly id: number;
  readonly businessId: number | null;
}

function selectThese(connection: Connection, ids: readonly number[]) {
  return connection
    .selectFrom('persons')
    .select(['persons.id', 'persons.business_id as businessId'])
    .where('persons.id', 'in', ids)
    .where(isOfficer('persons'));
}

/** Which of these people are officers now. */
export function selectOfficersAmong(connection: Connection, ids: readonly number[]): Promise<OfficerRow[]> {
  return selectThese(connection, ids).execute();
}

/**
 * Holds people, officers or not, so that nobody changes them until the transaction at hand ends: everybody whom a change rests on
 * in one statement, by their ids, as whoever changes a person does, so that there is no deadlock. People are held before businesses.
 */
export function lockPeople(change: Change, ids: readonly number[]): void {
  change.send(change.selectFrom('persons').select('id').where('id', 'in', ids).orderBy('id').forShare());
}

/**
 * Like {@link selectOfficersAmong}, and whoever would deactivate, move or demote one of them waits for the transaction at
 * hand to end. People are held before businesses, everywhere.
 */
export function lockOfficers(connection: Connection, ids: readonly number[]): Promise<OfficerRow[]> {
  return selectThese(connection, ids).orderBy('persons.id').forShare().execute();
}
