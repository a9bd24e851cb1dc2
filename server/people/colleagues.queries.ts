import { sql } from 'kysely';
import type { Connection } from '#server/platform/database.ts';

/** How the record of changes calls a person's deactivation. */
export const DEACTIVATED = 'person.deactivated';

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

/**
 * Everybody who is active and belongs to a business, and whoever was deactivated there after a moment, the longest there
 * first. The record of changes says when that was: its newest event of it, by the index over subjects.
 */
export function selectWitnesses(connection: Connection, businessId: number, deactivatedAfter: Date) {
  return connection
    .selectFrom('persons')
    .where('business_id', '=', businessId)
    .where(({ and, eb, or, selectFrom }) => {
      const deactivatedAt = selectFrom('audit_events')
        .whereRef('audit_events.subject_tag', '=', 'persons.tag')
        .where('audit_events.action', '=', DEACTIVATED)
        .orderBy('audit_events.sequence', 'desc')
        .limit(1)
        .select('audit_events.at');
      return or([
        eb('status', '=', 'Active'),
        and([eb('status', '=', 'Deactivated'), eb(deactivatedAt, '>', deactivatedAfter)]),
      ]);
    })
    .select(['id', 'username'])
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
