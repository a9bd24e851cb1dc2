import { share } from '#contract/money.ts';

/** Decimals that a currency's rails carry; a currency that is not named has two. */
const payoutExponents: Readonly<Record<string, number>> = { UGX: 0, USD: 2 };

/** What of an amount in minor units can be sent: whole shillings in UGX, rounded down. The rest stays the client's. */
export function payoutAmount(minor: number, currencyCode: string): number {
  const unit = 10 ** (2 - (payoutExponents[currencyCode] ?? 2));
  return share(minor, 1, unit, 'down') * unit;
}
