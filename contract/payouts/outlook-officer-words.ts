import { type Refusal, sayRefusal } from '#contract/refusals/refusal.ts';
import { sayDay } from '#contract/time/calendar.ts';
import type { ShownOutlook } from './schema.ts';

/** Why cash is not sent yet, and from when it can go, in words for officers. */

/** Why a payout can't be paid now as a phrase without its full stop. */
export function sayToOfficer(refusal: Refusal): string {
  const { code, more = '' } = refusal;
  switch (code) {
    case 'PAYOUT_ACCOUNT_MISSING':
      return 'Ask where to send it';
    case 'PAYOUT_ACCOUNT_UNVERIFIED':
      return 'Call about this account';
    case 'PAYOUT_ACCOUNT_FROZEN':
      return 'Frozen: ask the client, then check it again';
    case 'PAYOUT_ACCOUNT_REPLACED':
      return 'Replaced: ask for another account';
    case 'PAYOUT_NUMBER_INACTIVE':
      return 'Nobody has this number: ask for another account';
    case 'ABOVE_WALLET':
      return `${more}: ask for a bank account`;
    case 'PAYOUT_ACCOUNT_NEW':
    case 'WALLET_FULL_TODAY':
      return more;
    default:
      return sayRefusal(refusal);
  }
}

/** While a step other than paying comes first: 'Cash from Tue 1 Dec at the earliest'. Null if unknown. */
export function sayEarliest({ reason, from }: ShownOutlook, now: Date): string | null {
  return reason === null || from === null ? null : `Cash from ${sayDay(new Date(from), now)} at the earliest`;
}
