import { type SqlBool, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/**
 * Whether a row of persons is an officer's: active, and staff. Must be written exactly like the condition of the index
 * `persons_officers`.
 */
export function isOfficer(alias: 'persons' | 'officer') {
  const [status, permissions] = [sql.ref(`${alias}.status`), sql.ref(`${alias}.permissions`)];
  return sql<SqlBool>`${status} = 'Active' and ${permissions} && array['KADMIN', 'KSTAF']`;
}

/** An officer, and the business they belong to, if any. */
export interface OfficerRow {
  readonly id: number;
  readonly businessId: number | null;
}

/** The people among these who are officers now. */
export function selectOfficersAmong(connection: Connection, ids: readonly number[]): Promise<OfficerRow[]> {
  return connection
    .selectFrom('persons')
    .select(['persons.id', 'persons.business_id as businessId'])
    .where('persons.id', 'in', ids)
    .where(isOfficer('persons'))
    .execute();
}

/**
 * Locks people, officers or not, until the transaction ends, so that what we read about them afterwards stays true.
 * Everybody on whom a change depends is locked in one statement, ordered by id, as when a person is changed, so that
 * there is no deadlock. People are locked before businesses.
 */
export function lockPeople(change: Change, ids: readonly number[]): void {
  change.send(change.selectFrom('persons').select('id').where('id', 'in', ids).orderBy('id').forShare());
}

/** Every officer except one person, as recipients of a message; oldest first. */
export function selectOtherOfficers(connection: Connection, personId: number) {
  return connection
    .selectFrom('persons')
    .where(isOfficer('persons'))
    .where('id', '<>', personId)
    .select(['id', 'username'])
    .orderBy('id')
    .execute();
}
