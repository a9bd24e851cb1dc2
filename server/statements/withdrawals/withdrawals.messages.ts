import { PRODUCT_NAME } from '#contract/product.ts';
import { layouts } from '#contract/statements/layouts.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { messageTo, queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Work } from '#server/platform/work.ts';
import { selectOtherOfficers } from '#server/sessions/officers.ts';
import type { StatementRow } from './withdrawals.queries.ts';

interface WithdrawalNews {
  readonly statement: StatementRow;
  readonly reason: string;
  readonly what: 'proposed' | 'confirmed';
}

/**
 * Tells every other officer that a statement is about to be withdrawn, or was withdrawn: one of them may know that it
 * is correct.
 */
export async function notifyOfWithdrawal(
  { platform, change, caller: { person } }: Work,
  news: WithdrawalNews,
): Promise<void> {
  const text = describe(platform, person, news);
  for (const { username } of await selectOtherOfficers(change, person.id))
    await queueMessage(platform, change, messageTo(username, text));
}

function describe(
  { config: { publicUrl } }: Platform,
  { username, firstName, lastName }: SignedInCaller['person'],
  { statement: { rail, currency, fileName, from, until }, reason, what }: WithdrawalNews,
) {
  const by = [firstName, lastName].filter((part) => part !== null).join(' ') || username;
  const days = from === until ? sayDate(from) : `${sayDate(from)} to ${sayDate(until)}`;
  const link = publicUrl === undefined ? '' : ` ${publicUrl}/reconciliation`;
  const did = what === 'proposed' ? 'proposes to withdraw' : 'confirmed the withdrawal of';
  return {
    subject: what === 'proposed' ? 'Withdraw a statement?' : 'A statement was withdrawn',
    body:
      `${PRODUCT_NAME}: ${by} ${did} the statement ${fileName} (${layouts[rail].name}, ${currency}, ${days}). ` +
      `Reason: ${reason}. If it is right, say so at once.${link}`,
  };
}
