import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import type { AskedReply, AskedTransfer, AskingBody } from '#contract/transfers/schema.ts';
import { orNotFound } from '#server/calls/app-error.ts';
import type { Platform } from '#server/platform/platform.ts';
import { askAbout, type Outcomes } from '#server/transfers/following.service.ts';
import { selectTransfer } from '#server/transfers/transfers.queries.ts';
import { selectToAsk, selectUnanswered } from './checks.queries.ts';

/** Asks about every transfer again after its day, in a sweep or when an officer asks (docs/decisions/0047-rails.md). */

const CALLS_AT_ONCE = 10;
/** The most transfers in one sweep; the next one continues. */
const AT_ONCE = 500;
/** No call starts later than this in a sweep. */
const SWEEP_MS = 4 * MINUTE_MS;
const REQUEST_MS = 10_000;
/** The longest outage of a provider that the sweep makes up for. */
const DAYS_BACK = 30;

/** Asks about the transfers of days that ended at least an hour ago. Asks silent providers again each hour. */
export async function sweepChecks(platform: Platform, outcomes: Outcomes): Promise<void> {
  const now = platform.clock.now().getTime();
  const anHourAgo = new Date(now - HOUR_MS);
  const until = addDays(kampalaDate(anHourAgo), -1);
  const turn = { limit: AT_ONCE, askedBefore: anHourAgo };
  const due = await selectUnanswered(platform.db, { from: addDays(until, -DAYS_BACK), until }, turn);
  await askAll(platform, outcomes, due, SWEEP_MS);
}

/**
 * Asks about the transfers on a day of an account now. Returns how many were asked about, and how many are left for
 * later.
 */
export async function askDay(platform: Platform, outcomes: Outcomes, body: AskingBody): Promise<AskedReply> {
  const { rail, currency, day } = body;
  const asked = { rails: platform.rails.idsOf(rail), currency, day };
  const turn = { limit: AT_ONCE, askedBefore: new Date(platform.clock.now().getTime() - MINUTE_MS / 6) };
  const due = await selectToAsk(platform.db, asked, turn);
  const left = await askAll(platform, outcomes, due, REQUEST_MS);
  return { success: true, data: { asked: due.length - left, left } };
}

/** Asks about one transfer now, for an officer. Throws NOT_FOUND. */
export async function askTransfer(platform: Platform, outcomes: Outcomes, tag: string): Promise<AskedTransfer> {
  const transfer = orNotFound(await selectTransfer(platform.db, tag));
  const { said } = await askAbout(platform, outcomes, transfer);
  // Recording the answer may fail, because another payment has its number.
  const after = await selectTransfer(platform.db, tag);
  return { said, isEnded: after?.knownAt !== null };
}

/** Returns the number left because time ran out. */
async function askAll(
  platform: Platform,
  outcomes: Outcomes,
  tags: readonly string[],
  withinMs: number,
): Promise<number> {
  const end = performance.now() + withinMs;
  const left = [...tags];
  const askNext = async (): Promise<void> => {
    while (performance.now() < end) {
      const tag = left.shift();
      if (tag === undefined) return;
      await askOne(platform, outcomes, tag);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, askNext));
  return left.length;
}

async function askOne(platform: Platform, outcomes: Outcomes, tag: string): Promise<void> {
  try {
    await askTransfer(platform, outcomes, tag);
  } catch (error) {
    platform.log.error({ err: error, transfer: tag }, 'a transfer could not be asked about');
  }
}
