import { maximumAdvance, type Quote, quote } from '#contract/applications/quote.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { minorOf } from '#web/ui/forms/typed-amount.ts';
import type { ApplicationValues } from './application-values.ts';

/** The note under the figures (docs/specification-coverage.md, 2). */
export const FEES_NOTE = '* Fees are paid upfront.';

/** The figures derived from the form; amounts in minor units, undefined while something they need is missing. */
export interface Figures {
  readonly advance: number | undefined;
  /** The advance is more than the invoice allows: no fee or proceeds are shown. */
  readonly isAboveMaximum: boolean;
  readonly advancePercentTenths: number | undefined;
  readonly feeRateBps: number | undefined;
  readonly discountFee: number | undefined;
  readonly netProceeds: number | undefined;
}

interface Terms {
  /** The invoice's face value, in minor units. */
  readonly faceValue: number | undefined;
  readonly amountAppliedFor: ApplicationValues['amountAppliedFor'] | null;
  readonly tenorDays: number | undefined;
}

/**
 * The most that can be applied for: what the invoice allows and, once it is known, what the funding limit leaves. Minor
 * units.
 */
export function highestAdvance(faceValue: number, limit: FundingLimit | undefined): number {
  const left = limit && toMinor(limit.available);
  return Math.min(maximumAdvance(faceValue), left ?? Number.POSITIVE_INFINITY);
}

/** The quote for the typed values; undefined until invoice amount, amount applied for and period are all there. */
export function quoteTyped({ faceValue, amountAppliedFor, tenorDays }: Terms): Quote | undefined {
  const advance = advanceOf(amountAppliedFor);
  if (faceValue === undefined || advance === undefined || tenorDays === undefined) return undefined;
  return quote({ faceValue, advance, tenorDays });
}

/**
 * The figures that can be derived from the typed values. Without a period there is no fee, and an amount that cannot be
 * applied for gives no proceeds.
 */
export function figuresOf({ faceValue, amountAppliedFor, tenorDays }: Terms): Figures {
  const advance = advanceOf(amountAppliedFor);
  const priced = quote({ faceValue: faceValue ?? 0, advance: advance ?? 0, tenorDays: tenorDays ?? 0 });
  const isAboveMaximum = advance !== undefined && faceValue !== undefined && advance > maximumAdvance(faceValue);
  const complete = advance !== undefined && tenorDays !== undefined && !isAboveMaximum;
  return {
    advance,
    isAboveMaximum,
    advancePercentTenths: advance === undefined || faceValue === undefined ? undefined : priced.advancePercentTenths,
    feeRateBps: tenorDays === undefined ? undefined : priced.feeRateBps,
    discountFee: complete ? priced.discountFee : undefined,
    netProceeds: complete ? priced.netProceeds : undefined,
  };
}

function advanceOf(amount: Terms['amountAppliedFor']): number | undefined {
  const minor = amount === null ? undefined : minorOf(amount);
  return minor !== undefined && minor > 0 ? minor : undefined;
}

/** The figures as a form shows them: amounts with 2 decimals, the discount with one, '-' for a missing figure. */
export function figureTexts({ advancePercentTenths, feeRateBps, discountFee, netProceeds }: Figures) {
  return {
    discountPercentage: advancePercentTenths === undefined ? '-' : `${(advancePercentTenths / 10).toFixed(1)}%`,
    feeRate: feeRateBps === undefined ? '-' : `${feeRateBps / 100}%`,
    feesCharged: formatAmount(discountFee, 2),
    amountReceived: formatAmount(netProceeds, 2),
  };
}

/** The client's proceeds with their currency: 'UGX 801,000'; '-' while unknown. */
export function receivedText({ netProceeds }: Figures, currency: string | undefined): string {
  return netProceeds === undefined ? '-' : sayMoney(netProceeds, currency);
}

/** An amount, with its currency once one is chosen. */
export function sayMoney(amount: number, currency: string | undefined): string {
  return `${currency ?? ''} ${formatAmount(amount)}`.trim();
}
