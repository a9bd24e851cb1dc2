import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import { isOfficer } from '#server/sessions/officers.ts';

/** The audit action of a person's deactivation. */
export const DEACTIVATED = 'person.deactivated';

/** The audit action, on a business, of moving a person from it to another one. */
export const LEFT_BUSINESS = 'business.person-left';

/** The active people of a business, oldest first. */
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
 * The active people of a business, and those deactivated there or moved away after a moment, oldest first. The audit
 * log has the times; we read it by its index on subjects: the person, and the business.
 */
export function selectWitnesses(connection: Connection, businessId: number, after: Date) {
  const moved = connection
    .selectFrom('businesses')
    .innerJoin('audit_events', 'audit_events.subject_tag', 'businesses.tag')
    .innerJoin('persons', (join) => join.on(sql`persons.tag`, '=', sql`(audit_events.after ->> 'person')::uuid`))
    .where('businesses.id', '=', businessId)
    .where('audit_events.action', '=', LEFT_BUSINESS)
    .where('audit_events.at', '>', after)
    .select('persons.id');
  const belonging = selectBelonging(connection, businessId, after).select('persons.id');
  return connection
    .selectFrom('persons')
    .where('persons.id', 'in', belonging.union(moved))
    .select(['id', 'username'])
    .orderBy('id')
    .execute();
}

function selectBelonging(connection: Connection, businessId: number, after: Date) {
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
      return or([eb('status', '=', 'Active'), and([eb('status', '=', 'Deactivated'), eb(deactivatedAt, '>', after)])]);
    });
}

/**
 * Every active administrator except one person. The condition on permissions is that of the index `persons_officers`.
 */
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

/** Every active administrator, and the person, if one is given and still an officer. */
export function selectConcerned(connection: Connection, personId: number | null) {
  return connection
    .selectFrom('persons')
    .where(isOfficer('persons'))
    .where((where) => where.or([where('id', '=', personId ?? 0), sql<boolean>`'KADMIN' = any (permissions)`]))
    .select(['id', 'username'])
    .orderBy('id')
    .execute();
}

/** A person as the audit log names them, even one who has left. */
export function selectActor(connection: Connection, personId: number) {
  const person = connection.selectFrom('persons').select(['id', 'tag', 'username']);
  return person
    .select(['first_name as firstName', 'last_name as lastName'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
}

/** A business as messages and the audit log name it. */
export function selectBusiness(connection: Connection, businessId: number): Promise<{ name: string; tag: string }> {
  const business = connection.selectFrom('businesses').select(['name', 'tag']).where('id', '=', businessId);
  return business.executeTakeFirstOrThrow();
}
