import { formatAmount, toMinor } from '#contract/money.ts';
import { providers } from '#contract/payouts/account.ts';
import { kampalaTime } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';
import type { ShownRequest } from './schema.ts';

/** How long a phone can answer (MTN's documentation, 2026-11-23). */
export const ANSWER_WITHIN_MS = 5 * MINUTE_MS;

const other = 'It did not work. Ask again, or pay with the reference';

/** Why a phone's owner has not paid, and what would help: the refusal codes of payouts, worded for the payer. */
const refusalsToPay = {
  insufficientFloat: 'There is too little money in this wallet. Top it up and ask again, or pay less',
  walletClosed: "This number's mobile money is closed. Use another number",
  numberUnknown: 'This number has no mobile money. Check it, or use another number',
  walletLimit: 'This is more than this wallet may pay now. Pay less, and the rest another day',
  notAllowed: 'This number may not pay us. Use another number',
  rejected: 'You did not approve it. Ask again when you are ready',
  expired: 'You did not approve it on your phone in five minutes. Ask again',
  cancelled: 'It was cancelled. Ask again',
  misconfigured: 'This is our mistake. Pay with the reference, or call us',
  ourLimit: 'We cannot take more this way now. Pay with the reference',
  byHand: other,
  other,
} as const satisfies Record<Refusal, string>;

/** Replaces spaces so that the text does not break at the end of a line. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function moneyOf({ amount, currency }: ShownRequest): string {
  return unbroken(`${currency} ${formatAmount(toMinor(amount))}`);
}

/** The text for the client about a request: a headline, and what to do. */
export function sayToPayer(request: ShownRequest, now: Date): { readonly title: string; readonly text: string } {
  const { name } = providers[request.provider];
  const money = moneyOf(request);
  if (isUnfinished(request))
    return now < new Date(request.until)
      ? {
          title: 'Look at your phone',
          text: `${name} asks ${unbroken(request.from)} to approve ${money} with the PIN. You have until ${kampalaTime(new Date(request.until))}.`,
        }
      : {
          title: 'The five minutes are over',
          text: `We're still asking ${name} about ${money}. If your phone says you paid, it counts. Don't pay again yet.`,
        };
  if (request.state === 'failed')
    return { title: `${money} was not paid`, text: `${refusalsToPay[request.refusal ?? 'other']}.` };
  return { title: 'Paid. Thank you', text: `We received ${money} from ${unbroken(`${name} ${request.from}`)}.` };
}
