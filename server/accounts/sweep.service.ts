import { sql } from 'kysely';
import { UNCONFIRMED_SIGN_UP_DAYS } from '#contract/accounts/retention.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { DEVICE_LIFETIME_MS } from '#server/accounts/login/known-devices.ts';
import { THROTTLE_FORGOTTEN_MS } from '#server/accounts/login/login-throttle.ts';
import type { Database } from '#server/db/database.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * Removes data that no rule needs any more: expired handles, links, second steps, enrolments and attempts; budgets and
 * throttles without a try for a day; devices without a login for half a year; unconfirmed sign-ups. Run by the
 * scheduler. Each statement is independent.
 */
export async function sweepAccounts({ db, clock }: Platform): Promise<void> {
  const now = clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const dayAgo = before(DAY_MS);
  await db.deleteFrom('code_handles').where('expires_at', '<=', now).execute();
  await db.deleteFrom('reset_grants').where('expires_at', '<=', now).execute();
  await db.deleteFrom('second_steps').where('expires_at', '<=', now).execute();
  await db.deleteFrom('second_factor_enrolments').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('code_attempts')
    .where('created_at', '<=', dayAgo)
    .where((attempt) =>
      attempt.or([
        attempt('closed_at', '<=', dayAgo),
        attempt.not(
          attempt.exists(
            attempt
              .selectFrom('code_handles')
              .whereRef('code_handles.attempt_id', '=', 'code_attempts.id')
              .select('code_handles.attempt_id'),
          ),
        ),
      ]),
    )
    .execute();
  // A block lasts a day from its last try, so a budget that hasn't changed for a day has none.
  await db.deleteFrom('code_budgets').where('touched_at', '<=', dayAgo).execute();
  await db.deleteFrom('login_throttles').where('last_failed_at', '<=', before(THROTTLE_FORGOTTEN_MS)).execute();
  await db.deleteFrom('devices').where('last_login_at', '<=', before(DEVICE_LIFETIME_MS)).execute();
  await removeUnconfirmed(db, now, before(UNCONFIRMED_SIGN_UP_DAYS * DAY_MS));
  await db.deleteFrom('address_limits').where('expire', '<=', dayAgo.getTime()).execute();
}

/** Only a few at a time, because sign-ups wait for this transaction: both update the count of persons. */
const REMOVED_AT_ONCE = 200;
/** The most in one sweep, well within the job's time limit. The next sweep continues a quarter of an hour later. */
const REMOVALS = 20;

async function removeUnconfirmed(db: Database, now: Date, before: Date): Promise<void> {
  for (let removal = 0; removal < REMOVALS; removal += 1) {
    if ((await removeOldest(db, now, before)) < REMOVED_AT_ONCE) return;
  }
}

/** Somebody who confirms at this moment is no longer Pending, and stays. The sign-up's audit events stay too. */
async function removeOldest(db: Database, now: Date, before: Date): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .with('removed', (query) =>
      query
        .deleteFrom('persons')
        .where('status', '=', 'Pending')
        .where('created_at', '<=', before)
        .where('id', 'in', (unconfirmed) =>
          unconfirmed
            .selectFrom('persons')
            .where('status', '=', 'Pending')
            .where('created_at', '<=', before)
            .orderBy('created_at')
            .orderBy('id')
            .limit(REMOVED_AT_ONCE)
            .select('id'),
        )
        .returning('persons.tag'),
    )
    .insertInto('audit_events')
    .columns(['at', 'action', 'subject_type', 'subject_tag'])
    .expression((query) =>
      query
        .selectFrom('removed')
        .select([
          sql<Date>`${now}::timestamptz`.as('at'),
          sql.lit('account.removed').as('action'),
          sql.lit('person').as('subject_type'),
          'removed.tag as subject_tag',
        ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}
