import { formatAmount } from '#contract/money.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { type ProviderCode, providers } from '#contract/payouts/account.ts';

/** How much we may ask a phone to pay, in minor units, and which network it belongs to. */

/** The debt in units that rails can pay. A fraction of a shilling is dropped, because no phone can pay it. */
export function mostToAsk(owed: number, currency: string): number {
  return payoutAmount(owed, currency);
}

interface Limits {
  readonly owed: number;
  readonly currency: string;
  /** The minimum that the number's provider accepts. */
  readonly least: number;
}

/** The error message for an amount; undefined if it is acceptable. */
export function refusalOfAmount(amount: number, { owed, currency, least }: Limits): string | undefined {
  const most = mostToAsk(owed, currency);
  if (amount > most) return `You owe ${currency} ${formatAmount(most)}. Enter that or less`;
  if (payoutAmount(amount, currency) !== amount) return 'Enter a whole amount, without decimals';
  if (amount < least) return `Enter ${currency} ${formatAmount(least)} or more`;
  return undefined;
}

/** The networks whose phones we can ask. */
export const askedProviders = ['mtn', 'airtel'] as const satisfies readonly ProviderCode[];
export type AskedProvider = (typeof askedProviders)[number];

/** The network of a number in plain form; undefined if it belongs to neither. */
export function providerOfNumber(number: string): AskedProvider | undefined {
  return askedProviders.find((provider) => providers[provider].pattern.test(number));
}
