import { feeRateBps, feeRatePercent, yearlyRateTenths } from '#contract/applications/quote.ts';
import type { Posted } from '#contract/journal/position.ts';
import { BPS_PER_WHOLE, share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type Holidays, payingDayFrom } from '#contract/time/working-time.ts';

/** Extensions: more time to pay an advance back. Amounts in minor units. */

/** A sentence of the key facts. */
export const IF_REVERSED = 'If we counted a repayment by mistake, we work the fee out again without it.';

/** An advance that is paid out and not paid back. Dates are YYYY-MM-DD. */
interface Owed {
  readonly outstanding: number;
  readonly dueOn: string;
}

/** The price and the effect of an extension. */
export interface Extension {
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly fee: number;
  /** The outstanding amount including the fee. */
  readonly toPayBack: number;
  readonly dueOn: string;
  /** The fee as a yearly rate on the outstanding amount, in tenths of a per cent. */
  readonly yearlyRateTenths: number | null;
}

/**
 * Prices an extension accepted on a day: the tenor's fee on the outstanding amount. The new due date is the tenor after
 * the old one, or after the day of acceptance if the old one has passed, moved to a day on which people pay.
 */
export function extensionOf(
  { outstanding, dueOn }: Owed,
  tenorDays: number,
  { today, holidays }: { readonly today: string; readonly holidays: Holidays },
): Extension {
  const rate = feeRateBps(tenorDays);
  const fee = feeOf(outstanding, tenorDays);
  return {
    tenorDays,
    feeRatePercent: feeRatePercent(rate),
    fee,
    toPayBack: outstanding + fee,
    dueOn: payingDayFrom(addDays(dueOn > today ? dueOn : today, tenorDays), holidays),
    yearlyRateTenths: yearlyRateTenths({ discountFee: fee, netProceeds: outstanding }, tenorDays),
  };
}

function feeOf(outstanding: number, tenorDays: number): number {
  return share(outstanding, feeRateBps(tenorDays), BPS_PER_WHOLE, 'halfUp');
}

/** An accepted extension. Minor units. */
export interface AcceptedExtension {
  readonly acceptedOn: string;
  readonly tenorDays: number;
  readonly fee: number;
}

/**
 * The fee that extensions undercharged, oldest first, once a receipt is reversed: each was priced on the amount
 * outstanding with that receipt. `standing` are the entries in force without it. Payments count by their own days, so
 * replacing a wrong receipt by a right one changes nothing. A fee never becomes less. Minor units.
 */
export function missingFee(
  advance: number,
  accepted: readonly AcceptedExtension[],
  standing: readonly (Posted & { readonly date: string })[],
): number {
  const upTo = (kind: Posted['kind'], day: string): number =>
    standing.reduce((sum, one) => sum + (one.kind === kind && one.date <= day ? one.amount : 0), 0);
  let due = 0;
  for (const { acceptedOn, tenorDays, fee } of accepted) {
    const owed = advance + due + upTo('lateCharge', acceptedOn) - upTo('writeOff', acceptedOn);
    due += Math.max(fee, feeOf(Math.max(0, owed - upTo('receipt', acceptedOn)), tenorDays));
  }
  const charged = standing.reduce((sum, { kind, amount }) => sum + (kind === 'extension' ? amount : 0), 0);
  return Math.max(0, due - charged);
}
