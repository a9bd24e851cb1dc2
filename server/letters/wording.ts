import { formatAmount, toMinor } from '#contract/money.ts';
import { kampalaDate, kampalaTime, sayDate } from '#contract/time/calendar.ts';

/** Formats amounts and times for letters: two decimals, and Kampala time. */

/** Formats a wire amount, as UGX 801,000.00. */
export function sayMoney(currency: string, amount: number): string {
  return `${currency} ${formatAmount(toMinor(amount), 2)}`;
}

/** Formats minor units, as UGX 801,000.00. */
export function sayMinor(currency: string, minor: number): string {
  return `${currency} ${formatAmount(minor, 2)}`;
}

/** Formats an instant, as 20 Nov 2026, 12:00. */
export function sayInstant(instant: Date): string {
  return `${sayDate(kampalaDate(instant))}, ${kampalaTime(instant)}`;
}
