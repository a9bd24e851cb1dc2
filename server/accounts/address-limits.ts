import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { AppError } from '#server/platform/app-error.ts';
import type { Connection } from '#server/platform/database.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * Limits by address, over every server process. Generous, because Ugandan carriers put thousands of people behind one
 * address (decisions, 'Accounts'): they only blunt a flood, the limits by account and by recipient do the work. An hour
 * and a day begin with an address's first call.
 */

type Limited = 'register' | 'resend-pin' | 'request-reset' | 'login-failure';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

interface Allowance {
  readonly anHour: number;
  readonly aDay: number;
}
const ALLOWANCE: Allowance = { anHour: 600, aDay: 2400 };

export interface AddressLimits {
  /** Counts one; throws TOO_MANY_REQUESTS when the hour's or the day's are spent. */
  spend(limited: Limited, address: string): Promise<void>;
  /** Counts none; throws TOO_MANY_REQUESTS when they are spent. */
  refuseSpent(limited: Limited, address: string): Promise<void>;
}

/** The limits of a server; their rows stand in `address_limits`. */
export function createAddressLimits({ db, clock }: Platform, given: Partial<Allowance> = {}): AddressLimits {
  const { anHour, aDay } = { ...ALLOWANCE, ...given };
  const windowsOf = (limited: Limited, address: string) => {
    const whose = `${limited}:${networkOf(address)}`;
    const hour = { key: `hour:${whose}`, lastsMs: HOUR_MS, limit: anHour };
    // A stranger who guesses from a carrier's address must not keep its other people out for a day.
    return limited === 'login-failure' ? [hour] : [{ key: `day:${whose}`, lastsMs: DAY_MS, limit: aDay }, hour];
  };
  return {
    spend: async (limited, address) => {
      const now = clock.now().getTime();
      const windows = windowsOf(limited, address);
      const rows = windows.map(({ key, lastsMs }) => ({ key, points: 1, expire: now + lastsMs }));
      const spent = await countRows(db, rows, now);
      for (const { key, limit } of windows) {
        const row = spent.find((one) => one.key === key);
        if (row !== undefined && row.points > limit) throw tooMany(row.expire, now);
      }
    },
    refuseSpent: async (limited, address) => {
      const now = clock.now().getTime();
      const windows = windowsOf(limited, address);
      const rows = await db
        .selectFrom('address_limits')
        .where((row) =>
          row.or(windows.map(({ key, limit }) => row.and([row('key', '=', key), row('points', '>=', limit)]))),
        )
        .where('expire', '>', now)
        .select('expire')
        .orderBy('expire', 'desc')
        .execute();
      const [last] = rows;
      if (last !== undefined) throw tooMany(last.expire, now);
    },
  };
}

/** Counts in each of the rows, which begin anew where their time is over. */
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

/** One IPv6 subscriber has a whole /64; an IPv4 address stands for itself, however it is written. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [left = '', right] = address.toLowerCase().split('::');
  const before = left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = right === undefined ? before : [...before, ...zeros, ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}
