import { BPS_PER_PERCENT, BPS_PER_WHOLE, formatAmount, share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { StandingEntry } from './balance.ts';

/** What late days cost, where the lender charges for them (docs/decisions/0046-paying-back.md). Minor units. */

/** The terms that an application was submitted with, and its due date (YYYY-MM-DD). */
export interface LateTerms {
  readonly advance: number;
  /** Basis points a day of the unpaid part of the advance; 0 for no charge. */
  readonly lateChargeBps: number;
  readonly dueOn: string;
}

/** Days without a charge: after `from`, up to `until`; null while the pause lasts. */
export interface Pause {
  readonly from: string;
  readonly until: string | null;
}

/** The most that an application is charged for late days: half of its advance. */
export function lateChargeCap(advance: number): number {
  return share(advance, 1, 2, 'down');
}

/** What one late day costs. */
export function chargeOfDay(unpaid: number, lateChargeBps: number): number {
  return share(unpaid, lateChargeBps, BPS_PER_WHOLE, 'halfUp');
}

/** What one day is charged. */
export interface DailyCharge {
  readonly date: string;
  readonly amount: number;
}

/**
 * The charge of each day after the due date, up to today. It depends on the morning of the day: what was unpaid of the
 * advance and of fees for more time, and whether charges were paused. So nothing that happens on a day changes its charge.
 * Charges are not charged on. Charges from before more time was given count towards the cap.
 */
export function lateChargesOf(
  { advance, lateChargeBps, dueOn }: LateTerms,
  standing: readonly StandingEntry[],
  pauses: readonly Pause[],
  today: string,
): DailyCharge[] {
  if (lateChargeBps === 0) return [];
  const before = standing.filter(({ kind, date }) => kind === 'lateCharge' && date <= dueOn);
  let left = lateChargeCap(advance) - before.reduce((sum, { amount }) => sum + amount, 0);
  const days: DailyCharge[] = [];
  for (let date = addDays(dueOn, 1); date <= today && left > 0; date = addDays(date, 1)) {
    if (pauses.some(({ from, until }) => from < date && (until === null || date <= until))) continue;
    const amount = Math.min(left, chargeOfDay(unpaidAt(advance, standing, date), lateChargeBps));
    if (amount === 0) continue;
    days.push({ date, amount });
    left -= amount;
  }
  return days;
}

/**
 * What is unpaid of the advance and of fees for more time when a day begins. A repayment pays these first, then late
 * charges.
 */
export function unpaidAt(advance: number, standing: readonly StandingEntry[], day: string): number {
  const sign: Partial<Record<StandingEntry['kind'], number>> = { extension: 1, receipt: -1, writeOff: -1 };
  const changed = standing.reduce(
    (sum, { kind, amount, date }) => sum + (date < day ? (sign[kind] ?? 0) * amount : 0),
    0,
  );
  return Math.max(0, advance + changed);
}

/** The charges to post, and the entries to reverse. */
export interface Correction<Entry> {
  readonly post: readonly DailyCharge[];
  readonly reverse: readonly Entry[];
}

/**
 * Which charges to post and which to reverse: for days without an entry, and days before which a payment has become known.
 * Idempotent: any number of runs, at any time, gives the same entries.
 */
export function correctionOf<Entry extends StandingEntry>(
  dueOn: string,
  due: readonly DailyCharge[],
  posted: readonly Entry[],
): Correction<Entry> {
  const own = posted.filter(({ kind, date }) => kind === 'lateCharge' && date > dueOn);
  const isRight = ({ date, amount }: StandingEntry | DailyCharge, among: readonly (StandingEntry | DailyCharge)[]) =>
    among.some((one) => one.date === date && one.amount === amount);
  return {
    post: due.filter((day) => !isRight(day, own)),
    reverse: own.filter((entry) => !isRight(entry, due)),
  };
}

/** What being late costs, in words. `unpaid` is what is owed on the due date. */
export function sayLateCharge(
  { advance, lateChargeBps }: Pick<LateTerms, 'advance' | 'lateChargeBps'>,
  unpaid: number,
  currencyCode: string,
): string {
  const amount = (minor: number): string => `${currencyCode} ${formatAmount(minor)}`;
  return (
    `Each day late adds ${lateChargeBps / BPS_PER_PERCENT} % of what is unpaid, ` +
    `${amount(chargeOfDay(unpaid, lateChargeBps))} at first. It never adds more than ${amount(lateChargeCap(advance))} in all.`
  );
}
