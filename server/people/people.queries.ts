import type { Updateable } from 'kysely';
import type { PersonStatus } from '#contract/people/schema.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';

/** The fields of a person that the rules need. */
export interface PersonRecord {
  readonly id: number;
  readonly tag: string;
  readonly username: string;
  readonly usernameKind: 'email' | 'phone';
  readonly status: PersonStatus;
  readonly perms: readonly PermissionCode[];
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly designation: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly businessId: number | null;
}

/** Locks with `no key`, so that rows that refer to a person, such as sessions, can still be added and deleted. */
function selectForChange(change: Change) {
  return change
    .selectFrom('persons')
    .select([
      'id',
      'tag',
      'username',
      'username_kind as usernameKind',
      'status',
      'permissions as perms',
      'first_name as firstName',
      'last_name as lastName',
      'designation',
      'phone',
      'email',
      'business_id as businessId',
    ])
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The caller and the subject, both locked in a fixed order. */
export function lockActorAndSubject(change: Change, actorId: number, subjectTag: string): Promise<PersonRecord[]> {
  return selectForChange(change)
    .where((where) => where.or([where('id', '=', actorId), where('tag', '=', subjectTag)]))
    .execute();
}

/** The person with that username, locked. */
export function lockByUsername(change: Change, username: string): Promise<PersonRecord | undefined> {
  return selectForChange(change).where('username', '=', username).executeTakeFirst();
}

/** Updates a locked person. */
export async function updatePersonRow(change: Change, id: number, values: Updateable<Tables['persons']>) {
  await change.updateTable('persons').set(values).where('id', '=', id).execute();
}

/** Adds a person who did not sign up; returns their id and tag. */
export async function insertPerson(
  change: Change,
  person: Pick<PersonRecord, 'username' | 'status' | 'perms' | 'firstName' | 'lastName'> & {
    readonly kind: PersonRecord['usernameKind'];
    readonly passwordHash: string;
    readonly createdAt: Date;
  },
): Promise<Pick<PersonRecord, 'id' | 'tag'>> {
  return change
    .insertInto('persons')
    .values({
      username: person.username,
      username_kind: person.kind,
      password_hash: person.passwordHash,
      status: person.status,
      permissions: [...person.perms],
      first_name: person.firstName,
      last_name: person.lastName,
      phone: person.kind === 'phone' ? person.username : null,
      email: person.kind === 'email' ? person.username : null,
      created_at: person.createdAt,
    })
    .returning(['id', 'tag'])
    .executeTakeFirstOrThrow();
}
