import { counted } from '#contract/counts.ts';
import { formatAmount } from '#contract/money.ts';
import { sayHowToPay } from '#contract/payments/how-to-pay.ts';
import { LAST_REMINDER_DAYS, mayRemind, reminderDue, remindsUntil } from '#contract/payments/reminders.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { daysBetween, kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { systemActor } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Change } from '#server/db/transaction.ts';
import { SWEPT_AT_ONCE, sweepEach } from '#server/jobs/sweeping.ts';
import { expireQueued, type Message, messageTo, queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectAddressees } from '#server/steps/steps.service.ts';
import {
  type DueRow,
  insertReminder,
  lockDue,
  type ReminderRule,
  selectDueIds,
  selectSentDays,
} from './reminders.queries.ts';

/**
 * Reminds clients before, on and after the due date, once for each configured day. One transaction locks the advance,
 * records the reminder and queues its messages, so neither a crash nor a second server sends it twice. Rows that are
 * locked now wait for the next sweep.
 */
export async function sweepReminders(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const { reminderDays } = platform.config.repayment;
  const last = reminderDays.at(-1);
  if (last === undefined || !mayRemind(now)) return;
  const rule = { days: reminderDays, today: kampalaDate(now), until: last + LAST_REMINDER_DAYS };
  const ids = await selectDueIds(platform.db, rule, SWEPT_AT_ONCE);
  const swept = { subject: 'invoice', failed: 'a reminder could not be sent' } as const;
  await sweepEach(platform, ids, swept, (change, id) => remind(platform, change, { id, now, rule }));
}

interface DueReminder {
  readonly id: number;
  readonly now: Date;
  readonly rule: ReminderRule;
}

async function remind(platform: Platform, change: Change, { id, now, rule }: DueReminder): Promise<void> {
  const due = await lockDue(change, id, rule);
  if (due?.dueOn === undefined || due.dueOn === null) return;
  const daysLate = daysBetween(due.dueOn, rule.today);
  // We read this again under the lock: another server may have sent the reminder while we waited.
  const day = reminderDue(daysLate, rule.days, await selectSentDays(change, id, due.dueOn));
  if (day === undefined) return;
  const usernames = await selectAddressees(change, due);
  for (const username of usernames)
    await queueMessage(platform, change, {
      ...reminderMessage(platform, username, due, daysLate),
      // We remind nobody at night; the next reminder will have current figures.
      expiresAt: remindsUntil(now),
      about: reminderOf(due),
    });
  await insertReminder(change, { invoice_id: id, due_on: due.dueOn, day, at: now, told: usernames.length });
  recordEvent({ change, caller: systemActor('sweep of reminders', now) }, 'repayment.reminded', ['invoice', due.tag], {
    after: { dueOn: due.dueOn, day, told: usernames.length },
  });
}

/** The subject that groups a case's reminders. */
function reminderOf({ tag }: Pick<DueRow, 'tag'>): string {
  return `reminder ${tag}`;
}

/** Drops a locked application's queued reminders, whose text is no longer true. */
export function endReminders(change: Change, invoice: Pick<DueRow, 'tag'>): Promise<void> {
  return expireQueued(change, reminderOf(invoice));
}

function reminderMessage({ config }: Platform, username: string, due: DueRow, daysLate: number): Message {
  const { invoiceNumber, currencyCode, outstanding, dueOn, reference } = due;
  const sum = `${currencyCode} ${formatAmount(outstanding)}`;
  const how = sayHowToPay({ accounts: accountsIn(config, currencyCode), reference }, config.support);
  const { subject, text } = wordsOf(daysLate, sum, sayDate(dueOn ?? ''));
  return messageTo(username, {
    subject: `Invoice ${invoiceNumber}: ${subject}`,
    body: `${PRODUCT_NAME}, invoice ${invoiceNumber}: ${text} ${how}`,
  });
}

function wordsOf(daysLate: number, sum: string, date: string): { readonly subject: string; readonly text: string } {
  if (daysLate < 0) return { subject: 'pay back soon', text: `Pay back ${sum} by ${date}.` };
  if (daysLate === 0) return { subject: 'pay back today', text: `Pay back ${sum} today.` };
  return {
    subject: `overdue ${counted(daysLate, 'day')}`,
    text: `Overdue ${counted(daysLate, 'day')}: pay back ${sum} now. It was due ${date}.`,
  };
}
