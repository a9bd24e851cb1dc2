import type { Username } from '#contract/accounts/username.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** The password hash of a username, if there is one. */
export async function findPasswordHash(connection: Connection, username: string) {
  return connection
    .selectFrom('persons')
    .where('username', '=', username)
    .select(['id', 'tag', 'password_hash'])
    .executeTakeFirst();
}

/** The account, locked: nobody can change its password or status until the transaction ends. */
export async function lockAccount(change: Change, personId: number) {
  return change
    .selectFrom('persons')
    .leftJoin('businesses', 'businesses.id', 'persons.business_id')
    .where('persons.id', '=', personId)
    .select([
      'persons.id',
      'persons.tag',
      'persons.username',
      'persons.password_hash',
      'persons.status',
      'persons.permissions as perms',
      'persons.first_name as firstName',
      'persons.last_name as lastName',
      'businesses.tag as businessTag',
      'businesses.name as businessName',
    ])
    .forNoKeyUpdate('persons')
    .executeTakeFirstOrThrow();
}

/** The columns of a person that a login needs. */
export type Account = Awaited<ReturnType<typeof lockAccount>>;

export async function noteLogin(change: Change, personId: number, now: Date): Promise<void> {
  await change.updateTable('persons').set({ last_login_at: now }).where('id', '=', personId).execute();
}

interface SignUp {
  readonly username: Username;
  readonly passwordHash: string;
  readonly gender: string;
  readonly industryId: number;
  readonly districtId: number;
}

/**
 * Adds a Pending person, or replaces the data of an earlier sign-up that is still Pending. A row in any other status is
 * locked and left unchanged. Returns the owner of the username. All cases run the same statements, so timing doesn't
 * reveal which one it was.
 */
export async function placeSignUp(change: Change, signUp: SignUp, now: Date) {
  const { kind, value: username } = signUp.username;
  const replaceable = {
    password_hash: signUp.passwordHash,
    gender: signUp.gender,
    industry_id: signUp.industryId,
    district_id: signUp.districtId,
    created_at: now, // a repeated sign-up gets the full time to be confirmed
  };
  await change
    .insertInto('persons')
    .values({
      username,
      username_kind: kind,
      ...replaceable,
      status: 'Pending',
      phone: kind === 'phone' ? username : null,
      email: kind === 'email' ? username : null,
    })
    .onConflict((conflict) =>
      conflict.column('username').doUpdateSet(replaceable).where('persons.status', '=', 'Pending'),
    )
    .execute();
  return change
    .selectFrom('persons')
    .where('username', '=', username)
    .select(['id', 'tag', 'status'])
    .executeTakeFirstOrThrow();
}

/** The owner of the username, unless deactivated. */
export async function selectOwner(connection: Connection, username: string) {
  return connection
    .selectFrom('persons')
    .where('username', '=', username)
    .where('status', '<>', 'Deactivated')
    .select(['id', 'tag', 'status'])
    .executeTakeFirst();
}

/** Changes Pending to Verified; undefined if the person is no longer Pending. */
export async function markVerified(change: Change, personId: number) {
  return change
    .updateTable('persons')
    .set({ status: 'Verified' })
    .where('id', '=', personId)
    .where('status', '=', 'Pending')
    .returning(['tag'])
    .executeTakeFirst();
}

/** Sets a person's password; undefined if they are deactivated. */
export async function setPassword(change: Change, personId: number, passwordHash: string) {
  return change
    .updateTable('persons')
    .set({ password_hash: passwordHash })
    .where('id', '=', personId)
    .where('status', '<>', 'Deactivated')
    .returning(['tag'])
    .executeTakeFirst();
}

/** The references in a sign-up that don't exist. */
export async function missingReferences(
  connection: Connection,
  { industryId, districtId }: Pick<SignUp, 'industryId' | 'districtId'>,
): Promise<('industryId' | 'districtId')[]> {
  const found = await connection
    .selectNoFrom((query) => [
      query.exists(query.selectFrom('sectors').where('id', '=', industryId).select('id')).as('industryId'),
      query.exists(query.selectFrom('districts').where('id', '=', districtId).select('id')).as('districtId'),
    ])
    .executeTakeFirstOrThrow();
  return (['industryId', 'districtId'] as const).filter((field) => !found[field]);
}

/** Ends the person's session with that tag; returns it. */
export async function deleteOwnSession(change: Change, personId: number, tag: string) {
  return change
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('tag', '=', tag)
    .returning(['tag', 'user_agent', 'ip'])
    .executeTakeFirst();
}

export async function deleteSession(change: Change, sessionHash: Buffer): Promise<void> {
  await change.deleteFrom('sessions').where('token_hash', '=', sessionHash).execute();
}
