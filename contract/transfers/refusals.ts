import { keysOf } from '#contract/keys.ts';

/**
 * Why a provider finally refused a transfer, for all rails: what it means, to follow the provider's name, and what the
 * client should do; null if the client can do nothing. Next steps for officers are in next-steps.ts, so that clients
 * don't load them.
 */

interface RefusalWords {
  readonly means: string;
  readonly clientNext: string | null;
}

const clientsOther = 'Choose another payout account, or call us';

export const refusalWords = {
  insufficientFloat: { means: 'has not enough of our money', clientNext: null },
  walletClosed: { means: 'says that the account is closed', clientNext: clientsOther },
  numberUnknown: { means: 'does not know this number', clientNext: clientsOther },
  walletLimit: {
    means: 'says that this is more than the account may take',
    clientNext: 'Choose a bank account, or ask for a higher limit of this one',
  },
  ourLimit: { means: 'says that our own account is over its limit', clientNext: null },
  notAllowed: { means: 'does not let this account be paid', clientNext: clientsOther },
  rejected: { means: 'refused it', clientNext: null },
  expired: { means: 'let it expire', clientNext: null },
  cancelled: { means: 'cancelled it', clientNext: null },
  misconfigured: { means: 'does not accept our settings', clientNext: null },
  byHand: { means: 'did not pay it. Two officers confirmed that', clientNext: null },
  other: { means: 'could not do it', clientNext: null },
} as const satisfies Record<string, RefusalWords>;

export type Refusal = keyof typeof refusalWords;
export const refusals = keysOf(refusalWords);
