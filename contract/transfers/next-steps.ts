import type { Refusal } from './refusals.ts';

const otherAccount = 'Ask the client for another payout account, then prepare the payout again';

/** What an officer should do about a payout that a provider refused. */
export const nextSteps = {
  insufficientFloat: 'Top up our wallet, then prepare the payout again',
  walletClosed: otherAccount,
  numberUnknown: otherAccount,
  walletLimit: 'Ask the client for a bank account or a higher limit. Then prepare the payout again',
  ourLimit: 'Ask the provider to raise our limit, or wait until tomorrow. Then prepare the payout again',
  notAllowed: otherAccount,
  rejected: 'Read what the provider says, then prepare the payout again or ask for another account',
  expired: 'Prepare the payout again',
  cancelled: 'Ask the provider why, then prepare the payout again',
  misconfigured: 'Ask your administrator to check this provider’s settings. Then prepare the payout again',
  byHand: 'Prepare the payout again',
  other: 'Read what the provider says, then prepare the payout again',
} as const satisfies Record<Refusal, string>;
