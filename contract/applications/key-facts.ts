import { counted } from '#contract/counts.ts';
import { formatAmount, share, TENTHS_PER_WHOLE } from '#contract/money.ts';
import { sayLateCharge } from '#contract/payments/derived/late-charge.ts';
import { addDays, sayDate } from '#contract/time/calendar.ts';
import { type Holidays, payingDayFrom } from '#contract/time/working-time.ts';
import { feeRateBps, feeRatePercent, quote, yearlyRateTenths } from './quote.ts';

/**
 * The facts that a client must see before they commit: the same figures for web, server and PDF. Amounts in minor
 * units.
 */

/**
 * Increment it when the page's wording changes; it is part of every version (server/key-facts/key-facts.service.ts).
 */
export const KEY_FACTS_EDITION = 6;

/** The declaration that the client makes by submitting. */
export const DECLARATION =
  'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.';

/** Who pays back the advance: the ledger accepts receipts from client and buyer (contract/payments/balance.ts). */
export const PAID_BACK_BY = 'Your buyer pays us, or you do, at once or in parts.';

/**
 * The consequences of paying late: it may cost something, it blocks new applications, and only applications settled on
 * time raise a funding limit.
 */
export function sayIfLate(terms: LatePrice): string {
  const charge =
    terms.lateChargeBps === 0 ? 'We charge nothing extra.' : sayLateCharge(terms, terms.unpaid, terms.currencyCode);
  const { blocksAfterDays: days } = terms;
  const stopped = `${days === 0 ? 'You' : `After ${counted(days, 'day')} you`} cannot apply or get cash until you pay.`;
  return `You still owe the full amount. ${charge} ${stopped} Your funding limit grows only if you pay on time.`;
}

/** The price of a late day. Amounts in minor units. */
export interface LatePrice {
  readonly currencyCode: string;
  readonly advance: number;
  /** The part of the advance unpaid on the due date. */
  readonly unpaid: number;
  readonly lateChargeBps: number;
  /** An advance that is late by more days than this blocks new submissions, approvals and payouts. */
  readonly blocksAfterDays: number;
}

/** How much a buyer will pay of an invoice, as far as we know. Amounts in minor units. */
export interface BuyerPays {
  readonly buyer: string;
  readonly currencyCode: string;
  readonly expectedCash: number;
  /** The sum of the taxes that the buyer withholds. */
  readonly withheld: number;
  /** YYYY-MM-DD; null if unknown. */
  readonly paymentDueOn: string | null;
  /** The due date of the advance (YYYY-MM-DD). */
  readonly paymentExpectedOn: string;
  readonly advance: number;
}

/** Describes {@link BuyerPays} in words, and what it means for the client. */
export function sayBuyerPays(pays: BuyerPays): string {
  const { buyer, currencyCode, expectedCash, withheld, paymentDueOn, paymentExpectedOn, advance } = pays;
  const amount = (minor: number): string => `${currencyCode} ${formatAmount(minor)}`;
  const by = paymentDueOn === null ? '' : ` by ${sayDate(paymentDueOn)}`;
  const isLate = paymentDueOn !== null && paymentDueOn > paymentExpectedOn;
  const late = isLate ? ' That is after you must pay back.' : '';
  const kept = withheld === 0 ? '' : ` They keep back ${amount(withheld)} in tax.`;
  const missing = advance - expectedCash;
  const short = missing <= 0 ? '' : ` That is ${amount(missing)} less than must be paid back. You pay the rest.`;
  return `${buyer} should pay ${amount(expectedCash)}${by}.${late}${kept}${short}`;
}

/** The key facts of an application. */
export interface KeyFacts {
  readonly currencyCode: string;
  readonly faceValue: number;
  /** The amount to pay back. */
  readonly advance: number;
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly discountFee: number;
  readonly netProceeds: number;
  /** The fee as a share of the cash received, in tenths of a per cent, half up; null if nothing is received. */
  readonly feeOfCashTenths: number | null;
  /** The fee as a yearly rate on the cash received, in tenths of a per cent; null if nothing is received. */
  readonly yearlyRateTenths: number | null;
  /** The due date if the advance is paid out today (YYYY-MM-DD). */
  readonly paymentExpectedOn: string;
}

/** The key facts as of a day in Kampala (YYYY-MM-DD). */
export function keyFactsOf(
  application: Pick<KeyFacts, 'currencyCode' | 'faceValue' | 'advance' | 'tenorDays'>,
  today: string,
  holidays: Holidays,
): KeyFacts {
  const { currencyCode, faceValue, advance, tenorDays } = application;
  const { discountFee, netProceeds } = quote({ faceValue, advance, tenorDays });
  return {
    currencyCode,
    faceValue,
    advance,
    tenorDays,
    feeRatePercent: feeRatePercent(feeRateBps(tenorDays)),
    discountFee,
    netProceeds,
    feeOfCashTenths: netProceeds === 0 ? null : share(discountFee, TENTHS_PER_WHOLE, netProceeds, 'halfUp'),
    yearlyRateTenths: yearlyRateTenths({ discountFee, netProceeds }, tenorDays),
    paymentExpectedOn: payingDayFrom(addDays(today, tenorDays), holidays),
  };
}
