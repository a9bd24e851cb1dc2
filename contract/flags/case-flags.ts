import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';
import { counted } from '#contract/counts.ts';
import { type CaseFlagKind, caseFlagKindCodes, type FlagKind, NEW_ACCOUNT_DAYS } from '#contract/desk/schema.ts';
import { coverageOf } from '#contract/invoices/expected-cash.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import { formatAmount, TENTHS_PER_PERCENT } from '#contract/money.ts';
import { paymentMethods } from '#contract/payments/schema.ts';
import { addDays, kampalaDate, kampalaTime, sayDate } from '#contract/time/calendar.ts';

/** The flags that follow from a case itself (docs/decisions/0043-buyer-terms.md, 0044). Amounts in minor units. */

/** How far a case has progressed. A surplus counts once the advance is paid back. */
export interface Stage {
  readonly status: Status;
  readonly surplusOwed: number;
  /** The cash still to send once a first part has been sent; 0 before. */
  readonly restOwed: number;
}

/**
 * Whether a flag stops the next step. Every flag blocks until the payout. Flags about a payment also block the rest of
 * a payout and a surplus, because those may go to another account or be paid a second time.
 */
export function stopsCase({ status, surplusOwed, restOwed }: Stage, kind: FlagKind): boolean {
  if (statusTraits[status].undecided || status === 'Approved') return true;
  return isOfPayout(kind) && (restOwed > 0 || (status === 'Settled' && surplusOwed > 0));
}

/** Whether a flag is about a payment rather than the case, so that it also stops the rest of a payout and a surplus. */
function isOfPayout(kind: FlagKind): boolean {
  return isOfAccount(kind) || kind === 'paidBefore';
}

/** Whether a flag is about the account that we pay to. */
export function isOfAccount(kind: FlagKind): boolean {
  return kind === 'newPayoutAccount' || kind === 'holderDiffers';
}

/** A flag with its text. An acknowledgement holds only for this exact text. */
export interface CaseFlag {
  readonly kind: CaseFlagKind;
  readonly fact: string;
}

/** The buyer fields that an approval relies on, with their names in a flag. */
export const judgedBuyerFields = {
  name: 'name',
  tin: 'TIN',
  active: 'active or not',
  usualTermsDays: 'usual terms',
  withholdsTax: 'withholding tax',
  withholdsVat: 'withheld VAT',
} as const;
export type JudgedBuyerField = keyof typeof judgedBuyerFields;

/** One change of the buyer's record since the application was submitted. */
export interface BuyerChange {
  readonly at: Date;
  readonly fields: readonly JudgedBuyerField[];
}

/** The account that we pay an approved application to. */
export interface JudgedAccount {
  /** Distinguishes it from another account with the same label. */
  readonly id: number;
  /** Masked. */
  readonly label: string;
  readonly verifiedAt: Date;
  /** How the provider's answer about the holder differs from the account (contract/payouts/holders.ts). */
  readonly difference: string | null;
}

/** Everything that flags depend on besides a case's terms. */
export interface Circumstances {
  /** Oldest first. */
  readonly buyerChanges: readonly BuyerChange[];
  /** Null before the approval, and if there is no account that we may pay to. */
  readonly payee: JudgedAccount | null;
  /** Earlier, reversed payments of the amount that is to be paid now, oldest first. */
  readonly paidBefore: readonly JudgedPayment[];
}

/** A payment to the client that was reversed. */
export interface JudgedPayment {
  readonly method: CashMethod;
  readonly reference: string;
  readonly amount: number;
  readonly paidOn: string;
  readonly reversedOn: string;
  /** Whether the provider or a statement shows it as paid. */
  readonly isShownPaid: boolean;
}

/** Everything that flags depend on. */
export interface JudgedTerms extends Circumstances, Stage {
  readonly currencyCode: string;
  readonly advance: number;
  readonly tenorDays: number;
  readonly expectedCash: number;
  /** When the buyer pays; null if unknown. */
  readonly paymentDueOn: string | null;
}

/** The text of each flag; null if the flag is not raised. */
const facts: Record<CaseFlagKind, (terms: JudgedTerms, today: string) => string | null> = {
  coverage: ({ currencyCode, advance, expectedCash }) => {
    const { tenths, isShort } = coverageOf(expectedCash, advance);
    const percent = tenths / TENTHS_PER_PERCENT;
    return isShort
      ? `${currencyCode} ${formatAmount(expectedCash)} should arrive: ${percent}% of ${formatAmount(advance)}`
      : null;
  },
  dueDate: ({ tenorDays, paymentDueOn }, today) =>
    paymentDueOn !== null && paymentDueOn > addDays(today, tenorDays)
      ? `The buyer pays by ${sayDate(paymentDueOn)}; the advance is for ${tenorDays} days`
      : null,
  buyerChanged: ({ buyerChanges }) => {
    const last = buyerChanges.at(-1);
    if (last === undefined) return null;
    const named = Object.entries(judgedBuyerFields).filter(([field]) =>
      buyerChanges.some(({ fields }) => fields.some((one) => one === field)),
    );
    // The text includes the number of changes, so that a later change needs a new acknowledgement.
    const changes = `${counted(buyerChanges.length, 'change')} of the buyer’s record`;
    return `${changes}, last on ${sayDate(kampalaDate(last.at))}: ${named.map(([, name]) => name).join(', ')}`;
  },
  newPayoutAccount: ({ payee }, today) =>
    payee !== null && today < addDays(kampalaDate(payee.verifiedAt), NEW_ACCOUNT_DAYS)
      ? `${payee.label} (account ${payee.id}): checked on ${sayDate(kampalaDate(payee.verifiedAt))} at ${kampalaTime(payee.verifiedAt)}`
      : null,
  holderDiffers: ({ payee }) => payee?.difference ?? null,
  paidBefore: ({ paidBefore, currencyCode }) => {
    const last = paidBefore.at(-1);
    if (last === undefined) return null;
    const earlier = paidBefore.length > 1 ? `. ${paidBefore.length - 1} more before it` : '';
    // A statement that comes later changes the text, and so needs a new acknowledgement.
    const shown = paidBefore.some(({ isShownPaid }) => isShownPaid)
      ? '. The provider or a statement shows it as paid'
      : '';
    return `${describePaid(last, currencyCode)}${earlier}${shown}`;
  },
};

/** A reversed payment, for officers. */
export function describePaid(
  { method, reference, amount, paidOn, reversedOn }: JudgedPayment,
  currency: string,
): string {
  const paid = `${paymentMethods[method]} ${reference}, ${currency} ${formatAmount(amount)} on ${sayDate(paidOn)}`;
  return `${paid}, reversed on ${sayDate(reversedOn)}`;
}

/** The flags of a case that stop its next step, for a payout on that day (YYYY-MM-DD). */
export function caseFlagsOf(terms: JudgedTerms, today: string): CaseFlag[] {
  return caseFlagKindCodes.flatMap((kind) => {
    if (!stopsCase(terms, kind)) return [];
    const fact = facts[kind](terms, today);
    return fact === null ? [] : [{ kind, fact }];
  });
}
