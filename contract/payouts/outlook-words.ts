import { sayDay } from '#contract/time/calendar.ts';
import type { ShownOutlook } from './schema.ts';

/** What is still needed before an application's cash goes, and from when it can go, in words for its client. */

/** A sentence without its full stop: 'Cash from Tue 1 Dec: we call you first about MTN ••• 678'. */
export function sayToPayee({ step, reason, from, account }: ShownOutlook, now: Date): string {
  const cash = from === null ? '' : `Cash from ${sayDay(new Date(from), now)}: `;
  switch (step) {
    case 'askClient':
      return askClient(reason, account);
    case 'check':
      return `${cash}we call you first about ${account}`;
    case 'wait':
      return `${cash}${account} ${reason === 'WALLET_FULL_TODAY' ? 'takes no more today' : 'can be used from then'}`;
    case 'clear':
      if (reason === 'CLIENT_OVERDUE') return 'Pay back what is late, then we send this';
      return from === null ? "We'll call you before we send it" : `${cash}we'll tell you when it's sent`;
    case 'prepare':
    case 'release':
      return `${cash}we'll tell you when it's sent`;
    case 'follow':
      return `On its way to ${account}`;
    case 'stop':
      return `We stopped this payment to ${account}. We'll call you`;
  }
}

function askClient(reason: string | null, account: string | null): string {
  switch (reason) {
    case 'PAYOUT_ACCOUNT_FROZEN':
      return `${account} is frozen: we pay nothing to it. Choose another account`;
    case 'ABOVE_WALLET':
      return `${account} doesn't take this much. Choose a bank account`;
    case 'PAYOUT_ACCOUNT_REPLACED':
    case 'PAYOUT_NUMBER_INACTIVE':
      return `We can't pay to ${account}. Choose another account`;
    default:
      return 'Tell us where to send it';
  }
}
