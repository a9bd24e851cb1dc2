import { BPS_PER_PERCENT, BPS_PER_WHOLE, formatAmount, share } from '#contract/money.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import { addDays, daysBetween } from '#contract/time/calendar.ts';

/** The cost of late days, if the lender charges for them (docs/decisions/0046-paying-back.md). Minor units. */

/** The terms that an application was submitted with, and its due date (YYYY-MM-DD). */
export interface LateTerms {
  readonly advance: number;
  /** Basis points a day on the unpaid part of the advance; 0 for no charge. */
  readonly lateChargeBps: number;
  readonly dueOn: string;
  /** The smallest payable unit of the currency: an unpaid amount below it costs nothing. */
  readonly unit: number;
}

/** Days without a charge: after `from`, up to `until`; null while the pause lasts. */
export interface Pause {
  readonly from: string;
  readonly until: string | null;
}

/**
 * The most that an application is charged for late days: half of its advance. From guidelines for Tier 4 lenders, which
 * we know from secondary sources only (docs/reference-data.md).
 */
export function lateChargeCap(advance: number): number {
  return share(advance, 1, 2, 'down');
}

/** The cost of one late day. */
export function chargeOfDay(unpaid: number, lateChargeBps: number): number {
  return share(unpaid, lateChargeBps, BPS_PER_WHOLE, 'halfUp');
}

/** The charge of one day. */
export interface DailyCharge {
  readonly date: string;
  readonly amount: number;
}

/**
 * An accepted extension or a confirmed write-off. Days up to its own day are no longer charged, unless they already
 * were.
 */
export interface Closing {
  readonly on: string;
  readonly at: Date;
}

/** A day that was charged since the payout, even if that charge was reversed, and when it was first charged. */
export interface ChargedDay {
  readonly date: string;
  readonly at: Date;
}

/** The facts besides the due date that decide which days are charged. */
export interface LateHistory {
  readonly pauses: readonly Pause[];
  /** Oldest first. */
  readonly closings: readonly Closing[];
  readonly charged: readonly ChargedDay[];
}

/**
 * The charge of each late day up to today. It depends on the morning of that day: the unpaid advance, and whether
 * charges were paused. So nothing that happens during a day changes its charge. Fees and charges bear no charges.
 */
export function lateChargesOf(
  terms: LateTerms,
  standing: readonly StandingEntry[],
  history: LateHistory,
  today: string,
): DailyCharge[] {
  if (terms.lateChargeBps === 0) return [];
  let left = lateChargeCap(terms.advance);
  const days: DailyCharge[] = [];
  for (const date of [...closedDays(history), ...openDays(terms, history, today)]) {
    if (history.pauses.some(({ from, until }) => from < date && (until === null || date <= until))) continue;
    const amount = Math.min(left, chargeAt(terms, standing, date));
    if (amount === 0) continue;
    days.push({ date, amount });
    left -= amount;
    if (left === 0) break;
  }
  return days;
}

/** The days up to the last closing that were charged before they were closed, oldest first. */
function closedDays({ closings, charged }: LateHistory): string[] {
  return charged
    .filter(({ date, at }) => {
      const closing = closings.find(({ on }) => date <= on);
      return closing !== undefined && at <= closing.at;
    })
    .map(({ date }) => date)
    .sort();
}

/** The days after the due date and the last closing, up to today. */
function openDays({ dueOn }: LateTerms, { closings }: LateHistory, today: string): string[] {
  const closedOn = closings.at(-1)?.on ?? dueOn;
  const first = addDays(closedOn > dueOn ? closedOn : dueOn, 1);
  return Array.from({ length: Math.max(0, daysBetween(first, today) + 1) }, (_, index) => addDays(first, index));
}

/** The cost of a late day, given the entries in force, without the cap. */
export function chargeAt(
  { advance, lateChargeBps, unit }: Omit<LateTerms, 'dueOn'>,
  standing: readonly StandingEntry[],
  day: string,
): number {
  const unpaid = unpaidAdvance(advance, standing, day);
  return unpaid < unit ? 0 : chargeOfDay(unpaid, lateChargeBps);
}

/** The part of the advance still unpaid when a day begins. A repayment pays the advance first, then fees and charges. */
export function unpaidAdvance(advance: number, standing: readonly StandingEntry[], day: string): number {
  const left = standing
    .filter(({ kind, date }) => (kind === 'receipt' || kind === 'writeOff') && date < day)
    .reduce((sum, { amount }) => sum - amount, advance);
  return Math.max(0, left);
}

/** Describes the cost of being late. `unpaid` is the part of the advance unpaid on the due date. */
export function sayLateCharge(
  { advance, lateChargeBps }: Pick<LateTerms, 'advance' | 'lateChargeBps'>,
  unpaid: number,
  currencyCode: string,
): string {
  const amount = (minor: number): string => `${currencyCode} ${formatAmount(minor)}`;
  return (
    `Each day late adds ${lateChargeBps / BPS_PER_PERCENT} % of what is unpaid without fees, ` +
    `${amount(chargeOfDay(unpaid, lateChargeBps))} at first. It never adds more than ${amount(lateChargeCap(advance))} in all.`
  );
}
