import { share } from '#contract/money.ts';

/** The number of decimals in which a currency's rails can pay; two for a currency not listed. */
export const payoutExponents: Readonly<Record<string, number>> = { UGX: 0, USD: 2 };

/** The smallest amount that a currency's rails can pay, in minor units: a shilling, or a cent. */
export function payableUnit(currencyCode: string): number {
  return 10 ** (2 - (payoutExponents[currencyCode] ?? 2));
}

/** Whether a currency has coins below its unit; the shilling has none. */
export function hasCents(currencyCode: string): boolean {
  return payoutExponents[currencyCode] !== 0;
}

/**
 * The part of an amount in minor units that can be sent: whole shillings in UGX, rounded down. We still owe the client
 * the rest.
 */
export function payoutAmount(minor: number, currencyCode: string): number {
  const unit = payableUnit(currencyCode);
  return share(minor, 1, unit, 'down') * unit;
}
