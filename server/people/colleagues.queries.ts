import { sql } from 'kysely';
import type { Connection } from '#server/platform/database.ts';

/** Everybody who is active and belongs to a business, the longest there first. */
export function selectColleagues(connection: Connection, businessId: number) {
  return connection
    .selectFrom('persons')
    .where('business_id', '=', businessId)
    .where('status', '=', 'Active')
    .select(['id', 'username', 'permissions as perms'])
    .orderBy('id')
    .execute();
}

/** Every active administrator but one person. The condition on permissions is that of the index `persons_officers`. */
export function selectOtherAdministrators(connection: Connection, personId: number) {
  return connection
    .selectFrom('persons')
    .where('status', '=', 'Active')
    .where('id', '<>', personId)
    .where(sql<boolean>`permissions && array['KADMIN', 'KSTAF']`)
    .where(sql<boolean>`'KADMIN' = any (permissions)`)
    .select(['id', 'username'])
    .orderBy('id')
    .execute();
}

/** What a business is called. */
export async function selectBusinessName(connection: Connection, businessId: number): Promise<string> {
  const business = connection.selectFrom('businesses').select('name').where('id', '=', businessId);
  return (await business.executeTakeFirstOrThrow()).name;
}
