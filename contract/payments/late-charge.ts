import { formatAmount, share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { StandingEntry } from './balance.ts';

/** What paying back late costs, where the lender charges for it (docs/decisions/0046-paying-back.md). Minor units. */

const BPS_PER_WHOLE = 10_000;
const BPS_PER_PERCENT = 100;

/** The terms that an application was submitted with, and its due date (YYYY-MM-DD). */
export interface LateTerms {
  readonly advance: number;
  /** Basis points a day of what is unpaid of the advance; 0 for no charge. */
  readonly lateChargeBps: number;
  readonly dueOn: string;
}

/** Days on which nothing is charged: after `from`, up to `until`, or still. */
export interface Pause {
  readonly from: string;
  readonly until: string | null;
}

/** The most that an application is ever charged for being late: half of its advance. */
export function lateChargeCap(advance: number): number {
  return share(advance, 1, 2, 'down');
}

/** What one late day costs with that much unpaid. */
export function chargeOfDay(unpaid: number, lateChargeBps: number): number {
  return share(unpaid, lateChargeBps, BPS_PER_WHOLE, 'halfUp');
}

/** What one day is charged. */
export interface DailyCharge {
  readonly date: string;
  readonly amount: number;
}

/**
 * What each day after the due date is charged, up to today, by how it stood when the day began: what was unpaid of the
 * advance and of fees for more time, and whether it was paused. So nothing that happens on a day changes its charge.
 * Charges bear no charge; those up to the due date, before more time, count towards the cap.
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
 * What is unpaid when a day begins, of the advance and of fees for more time: a repayment pays these first, then what
 * was charged for being late.
 */
export function unpaidAt(advance: number, standing: readonly StandingEntry[], day: string): number {
  const sign: Partial<Record<StandingEntry['kind'], number>> = { extension: 1, receipt: -1, writeOff: -1 };
  const changed = standing.reduce(
    (sum, { kind, amount, date }) => sum + (date < day ? (sign[kind] ?? 0) * amount : 0),
    0,
  );
  return Math.max(0, advance + changed);
}

/** What of the charges is to be posted, and which entries no longer hold. */
export interface Correction<Entry> {
  readonly post: readonly DailyCharge[];
  readonly takeBack: readonly Entry[];
}

/**
 * What makes the posted charges those that are due: days without their entry, and days of which a payment with an
 * earlier date has become known. However often and late this is asked, the entries come to the same.
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
    takeBack: own.filter((entry) => !isRight(entry, due)),
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
