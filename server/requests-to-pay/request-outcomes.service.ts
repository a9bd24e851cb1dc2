import { maskedNumber } from '#contract/payouts/account.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { systemActor } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { readAccount } from '#server/payments/entries.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Transacting } from '#server/platform/work.ts';
import { receiveOnce } from '#server/statements/counted-once.service.ts';
import type { Ended, Failed, Outcome, Succeeded } from '#server/transfers/following.service.ts';

/** Records how a request to pay ended, and its consequences (docs/decisions/0051-pay-now.md). */
export const requestOutcome: Outcome = { succeeded: enterReceived, failed: recordRefusal };

/**
 * Records a paid request as Kasente's own entry, with the provider's number. It is dated on the day of the request: a
 * phone answers within minutes, and a provider's late answer must not make the payment late. It counts whatever has
 * happened to the application since; anything above the debt is extra.
 */
async function enterReceived(
  { platform, change }: Transacting,
  ended: Ended,
  { providerReference: reference }: Succeeded,
): Promise<string> {
  const { transfer, invoice, now } = ended;
  const account = await readAccount(change, invoice.tag, invoice);
  const entry = await receiveOnce({ platform, change, caller: systemActor('requests to pay', now) }, account, {
    kind: 'receipt',
    payer: 'client',
    confirmed: true,
    transferId: transfer.id,
    amount: transfer.amount,
    date: kampalaDate(transfer.createdAt),
    reference,
    from: maskedNumber(transfer.number),
    method: accountOf(platform, transfer.rail),
  });
  record(change, ended, { what: 'paid', entry, providerReference: reference });
  return entry;
}

/** The rail whose account has the money, even if its settings are gone. */
function accountOf({ rails }: Platform, id: string): Rail {
  const provider = rails.providerOf(id);
  if (provider === undefined) throw new Error(`${id} is no rail`);
  return provider;
}

async function recordRefusal({ change }: Transacting, ended: Ended, { refusal, said }: Failed): Promise<void> {
  record(change, ended, { what: 'refused', refusal, said });
}

function record(
  change: Change,
  { transfer, invoice, now }: Ended,
  { what, ...after }: { readonly what: string } & Record<string, unknown>,
): void {
  recordEvent({ change, caller: systemActor('requests to pay', now) }, `request.${what}`, ['invoice', invoice.tag], {
    after: { ...after, transfer: transfer.tag },
  });
}
