import { maskedNumber } from '#contract/payouts/account.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { kasente } from '#server/http/http.ts';
import { readAccount } from '#server/payments/entries.service.ts';
import type { Platform } from '#server/platform.ts';
import { receiveOnce } from '#server/statements/counted-once.service.ts';
import type { Ended, Failed, Outcome, Succeeded } from '#server/transfers/following.service.ts';

/** What follows when it is known how a request to pay ended (docs/decisions/0051-pay-now.md). */
export const requestOutcome: Outcome = { succeeded: enterReceived, failed: keepRefused };

/**
 * Records what was paid, as Kasente's, on the day on which the client asked for it, with the provider's number: a phone answers
 * within minutes, and a late word of its provider makes nobody late. The money is here: whatever happened to the application meanwhile, it counts; above what is owed it is extra.
 */
async function enterReceived(
  platform: Platform,
  change: Change,
  ended: Ended,
  { providerReference: reference }: Succeeded,
): Promise<string> {
  const { transfer, invoice, now } = ended;
  const account = await readAccount(change, invoice.tag, invoice);
  const entry = await receiveOnce(platform, change, kasente('requests to pay', now), account, {
    ...{ kind: 'receipt', payer: 'client', confirmed: true, transferId: transfer.id },
    ...{
      amount: transfer.amount,
      date: kampalaDate(transfer.createdAt),
      reference,
      from: maskedNumber(transfer.number),
    },
    method: accountOf(platform, transfer.rail),
  });
  record(change, ended, 'paid', { entry, providerReference: reference });
  return entry;
}

/** Where the rail's money is, also where its settings were taken away since. */
function accountOf({ rails }: Platform, id: string): Rail {
  const provider = rails.providerOf(id);
  if (provider === undefined) throw new Error(`${id} is no rail`);
  return provider;
}

async function keepRefused(_: Platform, change: Change, ended: Ended, { refusal, said }: Failed): Promise<void> {
  record(change, ended, 'refused', { refusal, said });
}

function record(change: Change, { transfer, invoice, now }: Ended, what: string, after: object): void {
  recordEvent(change, kasente('requests to pay', now), {
    action: `request.${what}`,
    subjectType: 'invoice',
    subjectTag: invoice.tag,
    after: { ...after, transfer: transfer.tag },
  });
}
