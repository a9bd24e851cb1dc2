import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** A second factor in use. Changes lock the person's row, which serialises them. */
export interface StoredFactor {
  readonly secret: Buffer;
  readonly set_up_at: Date;
  readonly last_step: number;
}

export async function findFactor(connection: Connection, personId: number): Promise<StoredFactor | undefined> {
  return connection
    .selectFrom('second_factors')
    .where('person_id', '=', personId)
    .select(['secret', 'set_up_at', 'last_step'])
    .executeTakeFirst();
}

/** Replaces the factor, if any, and deletes its recovery codes and logins at the second step. */
export async function replaceFactor(
  change: Change,
  personId: number,
  factor: StoredFactor,
  recoveryDigests: readonly Buffer[],
): Promise<void> {
  await deleteFactor(change, personId);
  await change
    .insertInto('second_factors')
    .values({ ...factor, person_id: personId })
    .execute();
  const codes = recoveryDigests.map((code_digest) => ({ person_id: personId, code_digest }));
  await change.insertInto('recovery_codes').values(codes).execute();
}

/** Deletes a factor and everything that belongs to it; false if there was none. */
export async function deleteFactor(change: Change, personId: number): Promise<boolean> {
  await deleteEnrolment(change, personId);
  const deleted = await change
    .deleteFrom('second_factors')
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Consumes a code's time step; false if it, or a later one, was used. */
export async function takeStep(change: Change, personId: number, step: number): Promise<boolean> {
  const taken = await change
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('person_id', '=', personId)
    .where('last_step', '<', step)
    .returning('person_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Consumes a recovery code; undefined if unknown, else whether it was unused. */
export async function takeRecoveryCode(change: Change, personId: number, digests: readonly Buffer[], now: Date) {
  const known = await change
    .selectFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_digest', 'in', digests)
    .select('used_at')
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) return undefined;
  if (known.used_at !== null) return false;
  await change
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('person_id', '=', personId)
    .where('code_digest', 'in', digests)
    .execute();
  return true;
}

export async function countUnusedRecoveryCodes(connection: Connection, personId: number): Promise<number> {
  const { unused } = await connection
    .selectFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .select((query) => query.fn.countAll<number>().as('unused'))
    .executeTakeFirstOrThrow();
  return unused;
}

interface Enrolment {
  readonly secret: Buffer;
  readonly wrong_tries: number;
}

/** Starts an enrolment, replacing an unconfirmed one. */
export async function placeEnrolment(change: Change, personId: number, secret: Buffer, expiresAt: Date): Promise<void> {
  const row = { secret, wrong_tries: 0, expires_at: expiresAt };
  await change
    .insertInto('second_factor_enrolments')
    .values({ ...row, person_id: personId })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
    .execute();
}

export async function findEnrolment(change: Change, personId: number, now: Date): Promise<Enrolment | undefined> {
  return change
    .selectFrom('second_factor_enrolments')
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .select(['secret', 'wrong_tries'])
    .executeTakeFirst();
}

export async function setEnrolmentTries(change: Change, personId: number, wrongTries: number): Promise<void> {
  await change
    .updateTable('second_factor_enrolments')
    .set({ wrong_tries: wrongTries })
    .where('person_id', '=', personId)
    .execute();
}

export async function deleteEnrolment(change: Change, personId: number): Promise<void> {
  await change.deleteFrom('second_factor_enrolments').where('person_id', '=', personId).execute();
}

/** A login at its second step. */
interface SecondStep {
  readonly person_id: number;
  readonly device_hash: Buffer | null;
}

export async function insertSecondStep(
  change: Change,
  step: SecondStep & { readonly token_hash: Buffer; readonly expires_at: Date },
): Promise<void> {
  await change.insertInto('second_steps').values(step).execute();
}

export async function findSecondStep(change: Change, tokenHash: Buffer, now: Date): Promise<SecondStep | undefined> {
  return change
    .selectFrom('second_steps')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .select(['person_id', 'device_hash'])
    .executeTakeFirst();
}

export async function deleteSecondStep(change: Change, tokenHash: Buffer): Promise<void> {
  await change.deleteFrom('second_steps').where('token_hash', '=', tokenHash).execute();
}

/** Ends every login of the person at its second step. */
export async function deleteSecondSteps(change: Change, personId: number): Promise<void> {
  await change.deleteFrom('second_steps').where('person_id', '=', personId).execute();
}

/** Every second factor's sealed secret. */
export async function selectSecrets(connection: Connection) {
  return connection.selectFrom('second_factors').select(['person_id as personId', 'secret']).execute();
}

/** Stores a resealed secret, unless the original was replaced in the meantime. */
export async function replaceSecret(
  connection: Connection,
  personId: number,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<void> {
  await connection
    .updateTable('second_factors')
    .set({ secret: to })
    .where('person_id', '=', personId)
    .where('secret', '=', from)
    .execute();
}
