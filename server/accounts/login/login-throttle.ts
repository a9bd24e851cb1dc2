import { readUsername } from '#contract/accounts/username.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Connection } from '#server/db/database.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

/**
 * Counts wrong passwords by username, known or not (docs/decisions/0041-left-open.md). After ten in a row, one try is
 * allowed per delay, which doubles from a minute to an hour. A day without a try resets the count. Second-factor codes
 * and a signed-in person's own password are counted the same way, each in its own row.
 */

export interface Throttle {
  readonly failures: number;
  readonly last_failed_at: Date;
  readonly retry_at: Date | null;
}

/** Wrong tries in a row before the first delay. */
export const FREE_FAILURES = 10;
const LONGEST_DELAY_MS = HOUR_MS;
export const THROTTLE_FORGOTTEN_MS = DAY_MS;

/** The key of a username's row. An invalid username counts as typed. */
export function throttleKey(sealer: Sealer, typed: string): Buffer {
  return sealer.digest(`login:${readUsername(typed)?.value ?? typed.trim().toLowerCase()}`);
}

/** Throws LOGIN_THROTTLED while the delay after a wrong password lasts. */
export function refuseThrottled(throttle: Throttle | undefined, now: Date): void {
  const refusal = throttled(throttle, now);
  if (refusal !== undefined) throw refusal;
}

/** The refusal during a delay; undefined if a try is allowed. */
export function throttled(
  throttle: Throttle | undefined,
  now: Date,
  code: 'LOGIN_THROTTLED' | 'SECOND_FACTOR_THROTTLED' = 'LOGIN_THROTTLED',
): AppError | undefined {
  const waitMs = (throttle?.retry_at?.getTime() ?? 0) - now.getTime();
  return waitMs > 0 ? new AppError(code, { retryAfterSeconds: waitMs / 1000 }) : undefined;
}

/** The row after another wrong password; from the tenth on, with a delay. */
export function afterFailure(throttle: Throttle, now: Date): Throttle {
  const forgotten = now.getTime() - throttle.last_failed_at.getTime() >= THROTTLE_FORGOTTEN_MS;
  const failures = forgotten ? 1 : throttle.failures + 1;
  const delayMs = Math.min(LONGEST_DELAY_MS, MINUTE_MS * 2 ** (failures - FREE_FAILURES));
  return {
    failures,
    last_failed_at: now,
    retry_at: failures < FREE_FAILURES ? null : new Date(now.getTime() + delayMs),
  };
}

const columns = ['failures', 'last_failed_at', 'retry_at'] as const;

export async function findThrottle(connection: Connection, key: Buffer): Promise<Throttle | undefined> {
  return asSystem('throttle', () =>
    connection.selectFrom('login_throttles').where('username_digest', '=', key).select(columns).executeTakeFirst(),
  );
}

/** The locked row, created if needed. */
export async function lockOrAddThrottle(change: Change, key: Buffer, now: Date): Promise<Throttle> {
  return asSystem('throttle', () =>
    change
      .insertInto('login_throttles')
      .values({ username_digest: key, last_failed_at: now })
      .onConflict((conflict) => conflict.column('username_digest').doUpdateSet({ username_digest: key }))
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
}

export async function saveThrottle(change: Change, key: Buffer, throttle: Throttle): Promise<void> {
  await asSystem('throttle', async () =>
    change.send(change.updateTable('login_throttles').set(throttle).where('username_digest', '=', key)),
  );
}

/**
 * Counts a try as wrong before it is compared, until {@link clearThrottle} resets it, so that of many concurrent tries
 * only the allowed number is compared. Returns the refusal instead of throwing it; undefined if the try is allowed.
 */
export async function takeTry(change: Change, key: Buffer, now: Date): Promise<AppError | undefined> {
  const throttle = await lockOrAddThrottle(change, key, now);
  const refusal = throttled(throttle, now);
  if (refusal === undefined) await saveThrottle(change, key, afterFailure(throttle, now));
  return refusal;
}

const turns = new Map<string, Promise<void>>();

/**
 * Serialises the work on one row within this process, so that a person's concurrent right logins don't use up each
 * other's tries. The count itself is enforced in the database; other processes don't wait here.
 */
export async function inTurn<T>(key: Buffer, work: () => Promise<T>): Promise<T> {
  const name = key.toString('base64');
  const before = turns.get(name);
  const { promise: mine, resolve: end } = Promise.withResolvers<void>();
  turns.set(name, mine);
  await before;
  try {
    return await work();
  } finally {
    end();
    if (turns.get(name) === mine) turns.delete(name);
  }
}

/** Resets the row after a right or a new password. */
export async function clearThrottle(connection: Connection, key: Buffer): Promise<void> {
  await asSystem('throttle', () =>
    connection.deleteFrom('login_throttles').where('username_digest', '=', key).execute(),
  );
}
