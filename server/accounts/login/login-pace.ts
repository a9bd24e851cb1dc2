import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { HOUR_MS } from '#contract/time/durations.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Platform } from '#server/platform/platform.ts';
import { countRows } from './address-limits.ts';

/**
 * Limits how fast one address may guess, over all server processes. A carrier puts thousands of people behind one
 * address, so wrong passwords must not lock out right ones. After 600 failures in an hour, logins from unknown devices
 * at that address take turns in order of arrival, one a second. Spraying one password over many usernames is thus
 * limited to 600 + 3,600 tries an hour per address (docs/decisions/0007-codes-and-logins.md).
 */

const FAILURES_AN_HOUR = 600;
const TURN_MS = 1000;
/**
 * For each address, one login waits for the next turn and the others queue behind it, as many as there are connections.
 */
const LINE = { atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1, waiting: 5_000 } as const;

export interface LoginPace {
  /** Counts a wrong password or a wrong second-factor code. */
  noteFailure(address: string): Promise<void>;
  /** Whether the hour's failures are used up, so that unknown devices take turns. */
  holds(address: string): Promise<boolean>;
  /** Waits for the address's turn. Throws the signal's reason if it aborts first. */
  waitForTurn(address: string, signal: AbortSignal): Promise<void>;
}

/** Waits that long. Throws the signal's reason if it aborts first. */
type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

const pauseFor: Pause = (ms, signal) => wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted());

/** The pace of a server's logins. Its counters are rows in `address_limits`. Tests pass their own pause. */
export function createLoginPace({ db, clock }: Platform, pause = pauseFor): LoginPace {
  const line = new FairSemaphore(LINE);
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
    waitForTurn: (address, signal) => {
      const network = networkOf(address);
      return line.run(network, async () => void (await pause(await takeTurn(network), signal)), signal);
    },
  };

  /** Assigns the address's next turn, over all server processes. Returns the milliseconds until it begins. */
  async function takeTurn(network: string): Promise<number> {
    const now = clock.now().getTime();
    // The row contains the end of the assigned turns.
    const { expire } = await db
      .insertInto('address_limits')
      .values({ key: `turns:login:${network}`, points: 1, expire: now + TURN_MS })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ expire: sql`greatest(address_limits.expire, ${now}) + ${TURN_MS}` }),
      )
      .returning('expire')
      .executeTakeFirstOrThrow();
    return (expire ?? now) - TURN_MS - now;
  }
}
