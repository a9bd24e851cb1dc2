import { keysOf } from '#contract/keys.ts';
import { type AccountCode, accountCodes, type CashMethod, cashAccounts } from './accounts.ts';

/**
 * The contents of an application's journal: its position follows from its terms and from the entries in force. An
 * entry's lines are the position after it minus the position before, so they sum to 0, and a reversal restores each
 * balance.
 */

/** The price of an application. Minor units. */
export interface PositionTerms {
  readonly faceValue: number;
  readonly advance: number;
  readonly netProceeds: number;
}

/** Amounts that a buyer kept back, each with a certificate or note. */
export const deductions = {
  withholdingTax: 'Withholding tax',
  withheldVat: 'Withheld VAT',
  creditNote: 'Credit note',
  dispute: 'Dispute',
} as const;
export type Deduction = keyof typeof deductions;
export const deductionCodes = keysOf(deductions);

/** The kinds of journal entries on an application. */
export const postedKinds = [
  'disbursement',
  'receipt',
  'surplus',
  'deduction',
  'feeEarned',
  'extension',
  'lateCharge',
  'rounding',
  'writeOff',
] as const;
export type PostedKind = (typeof postedKinds)[number];

/** The kinds of journal entries without an application: money that arrived without one, and money that we sent back. */
export const outsideKinds = ['arrival', 'returned'] as const;
export type OutsideKind = (typeof outsideKinds)[number];

/** An entry in force: neither a reversal nor reversed. Amounts in minor units. */
export interface Posted {
  readonly kind: PostedKind;
  readonly amount: number;
  /** Set if money moved. */
  readonly method?: CashMethod | null;
  /** Whether the receipt is for money that arrived unassigned: it leaves suspense, and no cash moves. */
  readonly isFromSuspense?: boolean;
  /** Only for a receipt. */
  readonly payer?: 'buyer' | 'client' | null;
  /** Because of rounding, how much more (above 0) or less (below 0) a payment to the client sends than it settles. */
  readonly carried?: number;
  /** The amount that moves from the client to the rounding account, because this entry closes the application. */
  readonly rounded?: number;
}

/** Balances by account; an absent account is 0. Debits are positive. */
export type Position = Partial<Readonly<Record<AccountCode, number>>>;

/** The amounts owed and paid on an application. Minor units. */
export interface Sums {
  readonly disbursed: number;
  readonly received: number;
  /** The amount to pay back: the advance, with fees of extensions and late charges. */
  readonly owed: number;
  readonly writtenOff: number;
  /** A debt smaller than the smallest payable unit. The rounding account pays it, as if it were a receipt. */
  readonly roundedOff: number;
  /** How much of the received and rounded-off amounts pays back the debt. */
  readonly applied: number;
  readonly recovered: number;
  /** The amount received above the debt, which belongs to the client. */
  readonly surplus: number;
  /** The part of the surplus that payments to the client have settled. */
  readonly surplusPaid: number;
  /** Rounding of payouts: above 0 if we sent more than we owed, below 0 if less. */
  readonly carried: number;
  /** The amount moved from the client to the rounding account, and how much of it was surplus. */
  readonly rounded: number;
  readonly roundedSurplus: number;
}

/** The sums of an application; all 0 before its disbursement. */
export function sumsOf({ advance }: Pick<PositionTerms, 'advance'>, standing: readonly Posted[]): Sums {
  const sum = (kind: Posted['kind']): number =>
    standing.reduce((total, posted) => total + (posted.kind === kind ? posted.amount : 0), 0);
  const disbursed = sum('disbursement');
  const received = sum('receipt');
  const owed = disbursed > 0 ? advance + sum('extension') + sum('lateCharge') : 0;
  const writtenOff = sum('writeOff');
  const roundedOff = sum('rounding');
  const paid = received + roundedOff;
  const applied = Math.min(paid, owed - writtenOff);
  const recovered = Math.min(paid - applied, writtenOff);
  const surplus = paid - applied - recovered;
  const surplusPaid = sum('surplus') - carriedBy(standing, 'surplus');
  const rounded = standing.reduce((total, posted) => total + (posted.rounded ?? 0), 0);
  return {
    disbursed,
    received,
    owed,
    writtenOff,
    roundedOff,
    applied,
    recovered,
    surplus,
    surplusPaid,
    carried: carriedBy(standing, 'disbursement') + carriedBy(standing, 'surplus'),
    rounded,
    roundedSurplus: Math.max(0, Math.min(rounded, surplus - surplusPaid)),
  };
}

/**
 * The net proceeds not yet sent, once a first part has been sent (docs/decisions/0047-rails.md); 0 before the first
 * part. Each part is a disbursement, and the first one carries the amount too small to send.
 */
export function restOf(
  { netProceeds }: Pick<PositionTerms, 'netProceeds'>,
  standing: readonly Pick<Posted, 'kind' | 'amount' | 'carried'>[],
): number {
  const parts = standing.filter(({ kind }) => kind === 'disbursement');
  const settled = parts.reduce((total, { amount, carried = 0 }) => total + amount - carried, 0);
  return settled === 0 ? 0 : netProceeds - settled;
}

function carriedBy(standing: readonly Posted[], kind: 'disbursement' | 'surplus'): number {
  return standing.reduce((total, posted) => total + (posted.kind === kind ? (posted.carried ?? 0) : 0), 0);
}

/** The balances that follow from the entries in force. They sum to 0. */
export function positionOf(terms: PositionTerms, standing: readonly Posted[]): Position {
  const sums = sumsOf(terms, standing);
  const total = (test: (posted: Posted) => number): number => standing.reduce((sum, one) => sum + test(one), 0);
  const amountOf = (kind: Posted['kind']): number => total((one) => (one.kind === kind ? one.amount : 0));
  const earned = amountOf('feeEarned');
  const isPaidOut = sums.disbursed > 0;
  const fee = isPaidOut ? terms.advance - terms.netProceeds + amountOf('extension') : 0;
  // A write-off first takes the fee not earned yet, which is not a loss.
  const feeGivenUp = Math.max(0, Math.min(fee - earned, sums.writtenOff));
  const paidByBuyer = total((one) => (one.kind === 'receipt' && one.payer === 'buyer' ? one.amount : 0));
  const buyersOwe = isPaidOut ? Math.max(0, terms.faceValue - paidByBuyer - amountOf('deduction')) : 0;
  return {
    ...cashOf(standing),
    advances: sums.owed - sums.writtenOff - sums.applied,
    feesNotEarned: earned - fee + feeGivenUp,
    feeIncome: -earned,
    clientPayable: sums.surplusPaid - sums.surplus + sums.roundedSurplus - restOf(terms, standing),
    clientFractions: sums.carried + sums.rounded - sums.roundedSurplus,
    rounding: sums.roundedOff - sums.rounded,
    lateCharges: -amountOf('lateCharge'),
    recoveries: -sums.recovered,
    writeOffs: sums.writtenOff - feeGivenUp,
    buyersOwe,
    financedInvoices: -buyersOwe,
  };
}

function cashOf(standing: readonly Posted[]): Position {
  const cash: Partial<Record<AccountCode, number>> = {};
  for (const { kind, amount, method, isFromSuspense } of standing) {
    if (!method) continue;
    const account = isFromSuspense === true ? 'suspense' : cashAccounts[method];
    cash[account] = (cash[account] ?? 0) + (kind === 'receipt' ? amount : -amount);
  }
  return cash;
}

/**
 * The lines of an entry without an application: money that arrives enters suspense, and money that is sent back leaves
 * it.
 */
export function linesOutside(kind: OutsideKind, method: CashMethod, amount: number): Line[] {
  const cash = kind === 'arrival' ? amount : -amount;
  return [
    { account: cashAccounts[method], amount: cash },
    { account: 'suspense', amount: -cash },
  ];
}

/** A line of an entry: a debit above 0, a credit below. */
export interface Line {
  readonly account: AccountCode;
  /** Minor units, never 0. */
  readonly amount: number;
}

/** The lines of an entry from one position to another, in the order of the chart; they sum to 0. */
export function linesBetween(before: Position, after: Position): Line[] {
  return accountCodes
    .map((account) => ({ account, amount: (after[account] ?? 0) - (before[account] ?? 0) }))
    .filter(({ amount }) => amount !== 0);
}
