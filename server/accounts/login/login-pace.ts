import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { HOUR_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Platform } from '#server/platform/platform.ts';
import { countRows } from './address-limits.ts';

/**
 * How fast one address may guess, over every server process. A carrier puts thousands of people behind one address, so
 * its wrong passwords must not lock out a right one: after 600 failures in an hour the logins of unknown devices there
 * take turns, one a second. So one password sprayed over many usernames is tried 600 + 3,600 times an hour from an
 * address at most (docs/decisions/0007-codes-and-logins.md).
 */

const FAILURES_AN_HOUR = 600;
const TURN_MS = 1000;
const LONGEST_WAIT_MS = 30 * TURN_MS;
/** Spread, so that refused callers do not all return at once. */
const RETRY_AFTER_SECONDS = { from: 10, to: 30 } as const;

export interface LoginPace {
  /** Counts a wrong password or a wrong second-factor code. */
  noteFailure(address: string): Promise<void>;
  /** Whether the hour's failures are used up, so that unknown devices take turns. */
  holds(address: string): Promise<boolean>;
  /**
   * Waits for the address's next turn, at most 30 s. Throws TOO_MANY_REQUESTS with a Retry-After of at most 30 s if
   * more are waiting.
   */
  waitForTurn(address: string): Promise<void>;
}

/** The pace of a server's logins; its rows stand in `address_limits`. Tests hold the waiting, in milliseconds. */
export function createLoginPace({ db, clock }: Platform, pause: (ms: number) => Promise<unknown> = wait): LoginPace {
  const failuresOf = (address: string) => `hour:login-failure:${networkOf(address)}`;
  return {
    noteFailure: async (address) => {
      const now = clock.now().getTime();
      await countRows(db, [{ key: failuresOf(address), points: 1, expire: now + HOUR_MS }], now);
    },
    holds: async (address) => {
      const spent = await db
        .selectFrom('address_limits')
        .where('key', '=', failuresOf(address))
        .where('points', '>=', FAILURES_AN_HOUR)
        .where('expire', '>', clock.now().getTime())
        .select('key')
        .executeTakeFirst();
      return spent !== undefined;
    },
    waitForTurn: async (address) => {
      const now = clock.now().getTime();
      // The row holds the end of the turns that were given out.
      const given = await db
        .insertInto('address_limits')
        .values({ key: `turns:login:${networkOf(address)}`, points: 1, expire: now + TURN_MS })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ expire: sql`greatest(address_limits.expire, ${now}) + ${TURN_MS}` })
            .where('address_limits.expire', '<=', now + LONGEST_WAIT_MS),
        )
        .returning('expire')
        .executeTakeFirst();
      if (given === undefined) {
        const { from, to } = RETRY_AFTER_SECONDS;
        throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: randomInt(from, to + 1) });
      }
      await pause((given.expire ?? now) - TURN_MS - now);
    },
  };
}
