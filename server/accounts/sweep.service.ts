import type { Platform } from '#server/platform/platform.ts';
import { DEVICE_LIFETIME_MS } from './known-devices.ts';
import { THROTTLE_FORGOTTEN_MS } from './login-throttle.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what no rule looks at any more: handles, links and attempts whose time has passed, budgets and throttles
 * without a try for a day, devices without a login for half a year. The scheduler calls it now and then; each
 * statement stands for itself.
 */
export async function sweepAccounts({ db, clock }: Platform): Promise<void> {
  const now = clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const dayAgo = before(DAY_MS);
  await db.deleteFrom('code_handles').where('expires_at', '<=', now).execute();
  await db.deleteFrom('reset_grants').where('expires_at', '<=', now).execute();
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
  // A block lasts a day from the try that began it, so an untouched budget has none.
  await db.deleteFrom('code_budgets').where('touched_at', '<=', dayAgo).execute();
  await db.deleteFrom('login_throttles').where('last_failed_at', '<=', before(THROTTLE_FORGOTTEN_MS)).execute();
  await db.deleteFrom('devices').where('last_login_at', '<=', before(DEVICE_LIFETIME_MS)).execute();
  await db.deleteFrom('address_limits').where('expire', '<=', dayAgo.getTime()).execute();
}
