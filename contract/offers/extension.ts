import { feeRateBps, feeRatePercent, yearlyRateTenths } from '#contract/applications/quote.ts';
import { share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type Holidays, payingDayFrom } from '#contract/time/working-time.ts';

/** More time to pay an advance back. Amounts in minor units. */

const BPS_PER_WHOLE = 10_000;

/** An advance that is paid out and not paid back. Dates are YYYY-MM-DD. */
interface Owed {
  readonly outstanding: number;
  readonly dueOn: string;
}

/** What an extension costs and moves. */
export interface Extension {
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly fee: number;
  /** What is outstanding, with the fee. */
  readonly toPayBack: number;
  readonly dueOn: string;
  /** The fee as a yearly rate on what is outstanding, in tenths of a per cent. */
  readonly yearlyRateTenths: number | null;
}

/**
 * An extension that is accepted on a day: the tenor's fee on what is outstanding, and as many days after the due date, or
 * after that day where it has passed, on a day on which people pay.
 */
export function extensionOf(
  { outstanding, dueOn }: Owed,
  tenorDays: number,
  { today, holidays }: { readonly today: string; readonly holidays: Holidays },
): Extension {
  const rate = feeRateBps(tenorDays);
  const fee = share(outstanding, rate, BPS_PER_WHOLE, 'halfUp');
  return {
    tenorDays,
    feeRatePercent: feeRatePercent(rate),
    fee,
    toPayBack: outstanding + fee,
    dueOn: payingDayFrom(addDays(dueOn > today ? dueOn : today, tenorDays), holidays),
    yearlyRateTenths: yearlyRateTenths({ discountFee: fee, netProceeds: outstanding }, tenorDays),
  };
}
