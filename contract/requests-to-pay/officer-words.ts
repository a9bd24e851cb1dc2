import { providers } from '#contract/payouts/account.ts';
import { kampalaTime } from '#contract/time/calendar.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';
import type { ShownRequest } from './schema.ts';

/** The reasons why a request was not paid, for officers; clients don't load this file. */
const reasons = {
  insufficientFloat: 'Too little money in the wallet',
  walletClosed: 'The wallet is closed',
  numberUnknown: 'The number has no wallet',
  walletLimit: 'More than the wallet may pay',
  notAllowed: 'The wallet may not pay',
  rejected: 'Not approved on the phone',
  expired: 'Not approved in five minutes',
  cancelled: 'Cancelled',
  misconfigured: 'The provider does not accept our settings: ask your administrator',
  ourLimit: 'Our own account may take no more',
  byHand: 'Two officers confirmed that it was not paid',
  other: 'The provider could not do it',
} as const satisfies Record<Refusal, string>;

/** One line about a request, for officers. */
export function sayRequestToOfficer(request: ShownRequest, now: Date): string {
  const { name } = providers[request.provider];
  const asked = `We asked ${name} ${request.from} to pay`;
  if (isUnfinished(request))
    return now < new Date(request.until)
      ? `${asked}. It can approve until ${kampalaTime(new Date(request.until))}`
      : `${asked}. ${name} does not say whether it is paid. We keep asking`;
  if (request.state === 'failed') return `${asked}. Not paid: ${reasons[request.refusal ?? 'other']}`;
  return `${asked}. Paid, ${name} ${request.providerReference}`;
}
