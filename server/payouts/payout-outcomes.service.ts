import { maskedAccount, providers } from '#contract/payouts/account.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { refusalWords } from '#contract/transfers/refusals.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { type MessageText, messageTo, queueMessage } from '#server/messages/messages.service.ts';
import { readAccount } from '#server/payments/entries.service.ts';
import { recordPayment } from '#server/payments/payments.service.ts';
import { movePayout, selectPayout } from '#server/payout-accounts/payout-holds.queries.ts';
import { selectActor, selectConcerned } from '#server/people/standing/colleagues.queries.ts';
import type { Transacting, Work } from '#server/platform/work.ts';
import type { Ended, Failed, Outcome, Succeeded } from '#server/transfers/following.service.ts';
import { failedMessage, paidAnywayMessage, restKeptMessage } from './payout-outcomes.messages.ts';
import { orderRest } from './payout-parts.service.ts';

/** Records how a payout over a rail ended, and its consequences (docs/decisions/0047-rails.md). */
export const payoutOutcome: Outcome = { succeeded: enterPaid, failed: recordRefusal };

type Paid = Awaited<ReturnType<typeof selectPayout>>;

/**
 * Records a paid payout with its releaser as the actor and the provider's number, dated on the day of the payment, or
 * else of the provider's answer. The money has left, so nothing refuses the entry.
 */
async function enterPaid(
  { platform, change }: Transacting,
  ended: Ended,
  { providerReference, paidOn }: Succeeded,
): Promise<string> {
  const [payout, caller] = await findOrder(change, ended);
  if (payout.entryTag !== null) return payout.entryTag;
  const { invoice } = ended;
  const account = await readAccount(change, invoice.tag, invoice);
  const work = { platform, change, caller };
  const entry = await recordPayment(work, account, {
    kind: payout.kind,
    amount: ended.transfer.amount,
    method: providers[payout.provider].method,
    reference: providerReference,
    date: paidOn ?? kampalaDate(ended.now),
    to: maskedAccount(payout),
  });
  movePayout(change, payout.id, { entry_tag: entry.tag });
  record(work, ended, { what: 'paid', payout: payout.tag, entry: entry.tag, providerReference });
  const rest = payout.amount - ended.transfer.amount;
  if (rest > 0) await orderNextPart(work, ended, { payout, rest });
  if (payout.frozenAt !== null)
    await tell(work, ended, paidAnywayMessage(platform, ended.transfer, 'its account was frozen before that'));
  return entry.tag;
}

/** Sends the next part of a payout, or tells officers why the rest stays owed to the client. */
async function orderNextPart(
  work: Work<Actor>,
  ended: Ended,
  { payout, rest }: { readonly payout: Paid; readonly rest: number },
): Promise<void> {
  const found = await orderRest(work, ended, { payout, rest });
  if ('next' in found) {
    record(work, ended, { what: 'released', payout: found.next, partOf: payout.tag, ...found.order });
    return;
  }
  record(work, ended, { what: 'kept', payout: payout.tag, amount: rest, kept: found.kept });
  await tell(work, ended, restKeptMessage(work.platform, { ...ended.transfer, amount: rest }, found.kept));
}

/** Records that a payout was refused, and tells officers how to fix it. They may prepare it again. */
async function recordRefusal({ platform, change }: Transacting, ended: Ended, answer: Failed): Promise<void> {
  const [payout, caller] = await findOrder(change, ended);
  movePayout(change, payout.id, { failed_at: ended.now });
  const { refusal, said } = answer;
  const { means } = refusalWords[refusal];
  record({ change, caller }, ended, { what: 'failed', payout: payout.tag, refusal, means, said });
  await tell({ platform, change }, ended, failedMessage(platform, ended.transfer, answer));
}

/** The transfer's payout, and its releaser as the actor to record. */
async function findOrder(change: Change, { transfer, now }: Ended): Promise<[Paid, Actor]> {
  if (transfer.payoutId === null) throw new Error('a transfer to a client without its payout');
  const payout = await selectPayout(change, transfer.payoutId);
  const person = await selectActor(change, transfer.createdBy);
  return [payout, { person, now, ip: 'server', requestId: 'transfer', idempotencyKey: undefined }];
}

function record(
  work: Changing<Actor>,
  { invoice, transfer }: Ended,
  { what, ...after }: { readonly what: string; readonly payout: string } & Record<string, unknown>,
): void {
  recordEvent(work, `payout.${what}`, ['invoice', invoice.tag], {
    after: { transfer: transfer.tag, ...after },
  });
}

async function tell({ platform, change }: Transacting, { transfer }: Ended, text: MessageText): Promise<void> {
  for (const { username } of await selectConcerned(change, transfer.createdBy))
    await queueMessage(platform, change, messageTo(username, text));
}
