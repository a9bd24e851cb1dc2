import { BPS_PER_WHOLE, share, TENTHS_PER_WHOLE } from '#contract/money.ts';

/**
 * How much a buyer will really pay of an invoice, after the taxes that they withhold
 * (docs/decisions/0043-buyer-terms.md). Amounts in minor units, dates YYYY-MM-DD.
 */

/** The kinds of dated tax rates. */
export const taxKinds = ['vat', 'withholdingTax', 'vatWithholding'] as const;
export type TaxKind = (typeof taxKinds)[number];

/** A rate that applies from a day on, until a later rate of the same kind. */
export interface TaxRate {
  readonly kind: TaxKind;
  readonly validFrom: string;
  readonly rateBps: number;
  /** The rate applies only to invoices above this amount in shillings; null for all invoices. */
  readonly threshold: number | null;
}

/** The currency of thresholds. */
const THRESHOLD_CURRENCY = 'UGX';

/** The rates on a day; a kind without a rate by then is absent. */
export function ratesOn(rates: readonly TaxRate[], day: string): Partial<Record<TaxKind, TaxRate>> {
  const inForce = rates.filter(({ validFrom }) => validFrom <= day);
  const oldestFirst = [...inForce].sort((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
  return Object.fromEntries(oldestFirst.map((rate) => [rate.kind, rate]));
}

/** The facts about an invoice that the calculation needs. */
export interface InvoicedAmount {
  readonly invoiceDate: string;
  readonly currencyCode: string;
  readonly faceValue: number;
  /** The VAT in the face value; null if the client gave none. */
  readonly vat: number | null;
}

/** The taxes that a buyer withholds. */
export interface Withholding {
  readonly withholdsTax: boolean;
  readonly withholdsVat: boolean;
}

/** The cash that will arrive, and the taxes that are withheld from it. */
export interface ExpectedCash {
  readonly withholdingTax: number;
  readonly withheldVat: number;
  readonly expectedCash: number;
}

/**
 * The face value less withheld taxes and credit notes, at the rates of the invoice's date. Withholding tax is taken from
 * the amount without VAT; withheld VAT from the taxable value, which the VAT was charged on. Each is rounded half up.
 */
export function expectedCash(
  invoice: InvoicedAmount,
  buyer: Withholding,
  rates: readonly TaxRate[],
  creditNotes = 0,
): ExpectedCash {
  const { vat, withholdingTax, vatWithholding } = ratesOn(rates, invoice.invoiceDate);
  const contained = Math.min(invoice.vat ?? 0, invoice.faceValue);
  const net = invoice.faceValue - contained;
  const kept = {
    withholdingTax: buyer.withholdsTax ? taxOf(net, withholdingTax, invoice) : 0,
    withheldVat: buyer.withholdsVat ? taxOf(taxableValue(net, contained, vat), vatWithholding, invoice) : 0,
  };
  const left = invoice.faceValue - kept.withholdingTax - kept.withheldVat - creditNotes;
  return { ...kept, expectedCash: Math.max(0, left) };
}

/** The value on which a VAT was charged: parts of an invoice may be exempt. */
function taxableValue(net: number, contained: number, vat: TaxRate | undefined): number {
  if (vat === undefined || vat.rateBps === 0) return 0;
  return Math.min(net, share(contained, BPS_PER_WHOLE, vat.rateBps, 'halfUp'));
}

function taxOf(base: number, rate: TaxRate | undefined, invoice: InvoicedAmount): number {
  return rate === undefined || !isAbove(rate, invoice) ? 0 : share(base, rate.rateBps, BPS_PER_WHOLE, 'halfUp');
}

/** We have no exchange rates: another currency counts as above the threshold, so that we expect less cash. */
function isAbove({ threshold }: TaxRate, { currencyCode, faceValue }: InvoicedAmount): boolean {
  return threshold === null || currencyCode !== THRESHOLD_CURRENCY || faceValue > threshold;
}

/** How much of an advance the expected cash covers. */
export interface Coverage {
  /** In tenths of a per cent, rounded down, so that 100 % means full coverage. */
  readonly tenths: number;
  readonly isShort: boolean;
}

/** The coverage of an advance above 0. */
export function coverageOf(cash: number, advance: number): Coverage {
  return { tenths: share(cash, TENTHS_PER_WHOLE, advance, 'down'), isShort: cash < advance };
}

/** The VAT in a fully taxed amount; undefined if there is no rate for that day. */
export function vatWithin(faceValue: number, invoiceDate: string, rates: readonly TaxRate[]): number | undefined {
  const rate = ratesOn(rates, invoiceDate).vat;
  return rate && share(faceValue, rate.rateBps, BPS_PER_WHOLE + rate.rateBps, 'halfUp');
}
