import { counted } from '#contract/counts.ts';
import { mayRemind } from '#contract/payments/reminders.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { layouts } from '#contract/statements/layouts.ts';
import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { messageTo, queueMessage } from '#server/messages/messages.service.ts';
import { selectConcerned } from '#server/people/standing/colleagues.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectUsed } from '#server/transfers/checks/checks.queries.ts';
import { recordNotified, wasNotified } from './reconciliation.queries.ts';
import { countOpen, findLookedAt, lastDays } from './reconciliation.service.ts';

/**
 * Notifies administrators of the open differences of recent days: once a day between 08:00 and 18:00 in Kampala, while
 * there are any.
 */
export async function notifyOfDifferences(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  if (!mayRemind(now) || (await wasNotified(platform.db, today))) return;
  const days = await platform.db.inTransaction((snapshot) => findOpen(platform, snapshot, today), {
    isolation: 'repeatable read, read only',
  });
  const open = days.reduce((sum, day) => sum + day.open, 0);
  if (open === 0) return;
  await platform.db.inTransaction(async (change) => {
    if (!(await recordNotified(change, today, now, open))) return;
    const administrators = await selectConcerned(change, null);
    const text = { subject: `${counted(open, 'difference')} to reconcile`, body: bodyOf(platform, open, days) };
    for (const { username } of administrators) await queueMessage(platform, change, messageTo(username, text));
  });
}

interface OpenDay {
  readonly account: string;
  readonly day: string;
  readonly open: number;
}

/**
 * The open differences of every account. None before the first statement or transfer, when every payment would be a
 * difference.
 */
async function findOpen(platform: Platform, snapshot: Connection, today: string): Promise<OpenDay[]> {
  const accounts = await findLookedAt(snapshot, today);
  const days = lastDays(today);
  const period = { from: days.at(-1) ?? today, until: days[0] ?? today };
  for (const { rail: id, ...used } of await selectUsed(snapshot, period)) {
    const rail = platform.rails.providerOf(id);
    const isKnown = accounts.some((one) => one.rail === rail && one.currency === used.currency);
    if (rail !== undefined && !isKnown) accounts.push({ rail, ...used, days });
  }
  const found: OpenDay[] = [];
  for (const account of accounts) {
    const open = await countOpen(platform, snapshot, account);
    found.push(...open.map((day) => ({ ...day, account: `${layouts[account.rail].name}, ${account.currency}` })));
  }
  return found;
}

const LONGEST_LIST = 5;

function bodyOf({ config: { publicUrl } }: Platform, open: number, days: readonly OpenDay[]): string {
  const list = days
    .slice(0, LONGEST_LIST)
    .map(({ account, day, open: count }) => `${account}, ${sayDate(day)}: ${count}`);
  const more = days.length > LONGEST_LIST ? ` And ${counted(days.length - LONGEST_LIST, 'more day')}.` : '';
  const link = publicUrl === undefined ? '' : ` ${publicUrl}/reconciliation`;
  return (
    `${PRODUCT_NAME}: ${counted(open, 'difference')} to reconcile. ${list.join('; ')}.${more} ` +
    `Import the statements of these days. Then correct or explain what is left.${link}`
  );
}
