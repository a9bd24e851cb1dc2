import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Connection } from '#server/db/database.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * Limits by address, shared by all server processes. They are generous, because Ugandan carriers put thousands of
 * people behind one address. They only slow down a flood; the limits by account and by recipient protect accounts. An
 * hour and a day start with an address's first call. Logins are limited differently (login-pace.ts).
 */

type Limited = 'register' | 'resend-pin' | 'request-reset' | 'freeze-account' | 'rail-callback';

interface Allowance {
  readonly anHour: number;
  readonly aDay: number;
}
const ALLOWANCE: Allowance = { anHour: 600, aDay: 2400 };

export interface AddressLimits {
  /** Counts one call. Throws TOO_MANY_REQUESTS at the hour's or the day's limit. */
  spend(limited: Limited, address: string): Promise<void>;
}

/** The limits of a server. Their counters are rows in `address_limits`. */
export function createAddressLimits({ db, clock }: Platform, given: Partial<Allowance> = {}): AddressLimits {
  const { anHour, aDay } = { ...ALLOWANCE, ...given };
  return {
    spend: async (limited, address) => {
      const now = clock.now().getTime();
      const whose = `${limited}:${networkOf(address)}`;
      const windows = [
        { key: `day:${whose}`, lastsMs: DAY_MS, limit: aDay },
        { key: `hour:${whose}`, lastsMs: HOUR_MS, limit: anHour },
      ];
      const rows = windows.map(({ key, lastsMs }) => ({ key, points: 1, expire: now + lastsMs }));
      const spent = await countRows(db, rows, now);
      for (const { key, limit } of windows) {
        const row = spent.find((one) => one.key === key);
        if (row !== undefined && row.points > limit) throw tooMany(row.expire, now);
      }
    },
  };
}

/** Increments each row, and restarts those whose window is over. */
export function countRows(
  connection: Connection,
  rows: readonly { readonly key: string; readonly points: number; readonly expire: number }[],
  now: number,
) {
  return connection
    .insertInto('address_limits')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        points: sql`case when address_limits.expire > ${now} then address_limits.points + 1 else 1 end`,
        expire: sql`case when address_limits.expire > ${now} then address_limits.expire else excluded.expire end`,
      }),
    )
    .returning(['key', 'points', 'expire'])
    .execute();
}

function tooMany(expire: number | null, now: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: ((expire ?? now) - now) / 1000 });
}
