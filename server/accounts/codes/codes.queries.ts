import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import type { CodeBudget, Purpose } from './code-budget.ts';

/** Locks the recipient's budget, creating it if needed. The lock serialises everything about the recipient's codes. */
export async function lockBudget(change: Change, recipient: string, now: Date): Promise<CodeBudget> {
  return change
    .insertInto('code_budgets')
    .values({ recipient, touched_at: now })
    .onConflict((conflict) => conflict.column('recipient').doUpdateSet({ touched_at: now }))
    .returning(['recipient', 'wrong_at', 'blocked_until', 'link_sent', 'sent_at', 'sign_up_sent_at', 'reset_sent_at'])
    .executeTakeFirstOrThrow();
}

export async function saveBudget(change: Change, { recipient, ...budget }: CodeBudget): Promise<void> {
  await change
    .updateTable('code_budgets')
    .set({ ...budget, wrong_at: [...budget.wrong_at], sent_at: [...budget.sent_at] })
    .where('recipient', '=', recipient)
    .execute();
}

/** Replaces the recipient's open attempt of that purpose, with its code and handles. */
export async function replaceAttempt(change: Change, attempt: Omit<Attempt, 'wrong_tries' | 'closed_at'>, now: Date) {
  await closeAttempts(change, attempt.recipient, [attempt.purpose], now);
  await change
    .insertInto('code_attempts')
    .values({ ...attempt, created_at: now })
    .execute();
}

/** Ends the recipient's open attempts of these purposes. */
export async function closeAttempts(change: Change, recipient: string, purposes: readonly Purpose[], now: Date) {
  await change
    .updateTable('code_attempts')
    .set({ closed_at: now })
    .where('recipient', '=', recipient)
    .where('purpose', 'in', [...purposes])
    .where('closed_at', 'is', null)
    .execute();
}

/** Ends an attempt whose code was used. */
export async function closeAttempt(change: Change, id: string, now: Date): Promise<void> {
  await change.updateTable('code_attempts').set({ closed_at: now }).where('id', '=', id).execute();
}

/** The attempt for an unexpired handle of that purpose. */
export async function findAttempt(connection: Connection, handleHash: Buffer, purpose: Purpose, now: Date) {
  return connection
    .selectFrom('code_handles')
    .innerJoin('code_attempts', 'code_attempts.id', 'code_handles.attempt_id')
    .where('code_handles.token_hash', '=', handleHash)
    .where('code_handles.expires_at', '>', now)
    .where('code_attempts.purpose', '=', purpose)
    .select([
      'code_attempts.id',
      'code_attempts.purpose',
      'code_attempts.recipient',
      'code_attempts.person_id',
      'code_attempts.code_digest',
      'code_attempts.code_expires_at',
      'code_attempts.wrong_tries',
      'code_attempts.closed_at',
    ])
    .executeTakeFirst();
}

export type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>;

/** A person's open sign-up attempt, and the time until which its code works. */
export async function findOpenSignUp(change: Change, personId: number) {
  return change
    .selectFrom('code_attempts')
    .where('person_id', '=', personId)
    .where('purpose', '=', 'sign-up')
    .where('closed_at', 'is', null)
    .select(['id', 'code_expires_at as worksUntil'])
    .forUpdate()
    .executeTakeFirst();
}

/** Gives an attempt a new code with five tries; the old one stops working. */
export async function setCode(change: Change, id: string, code: Pick<Attempt, 'code_digest' | 'code_expires_at'>) {
  await change
    .updateTable('code_attempts')
    .set({ ...code, wrong_tries: 0 })
    .where('id', '=', id)
    .execute();
}

export async function setWrongTries(change: Change, id: string, wrongTries: number): Promise<void> {
  await change.updateTable('code_attempts').set({ wrong_tries: wrongTries }).where('id', '=', id).execute();
}

export async function insertHandle(
  change: Change,
  handle: { readonly token_hash: Buffer; readonly attempt_id: string; readonly expires_at: Date },
): Promise<void> {
  await change.insertInto('code_handles').values(handle).execute();
}

export async function insertGrant(
  change: Change,
  grant: { readonly token_hash: Buffer; readonly person_id: number; readonly expires_at: Date },
): Promise<void> {
  await change.insertInto('reset_grants').values(grant).execute();
}

/** The person whose password an unexpired grant may set. */
export async function findGrantee(connection: Connection, tokenHash: Buffer, now: Date) {
  return connection
    .selectFrom('reset_grants')
    .innerJoin('persons', 'persons.id', 'reset_grants.person_id')
    .where('reset_grants.token_hash', '=', tokenHash)
    .where('reset_grants.expires_at', '>', now)
    .select(['persons.id', 'persons.username'])
    .executeTakeFirst();
}

/** Consumes an unexpired grant; false if it was used or has expired. */
export async function takeGrant(change: Change, tokenHash: Buffer, now: Date): Promise<boolean> {
  const taken = await change
    .deleteFrom('reset_grants')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('person_id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteGrants(change: Change, personId: number): Promise<void> {
  await change.deleteFrom('reset_grants').where('person_id', '=', personId).execute();
}
