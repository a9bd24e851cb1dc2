import { z } from 'zod';
import type { Status } from '#contract/applications/lifecycle.ts';
import { money } from '#contract/fields.ts';
import { fromMinor } from '#contract/money.ts';
import { daysBetween } from '#contract/time/calendar.ts';

/** An advance that is not paid back by its due date. */
export const overdue = z.strictObject({
  /** Calendar days in Kampala after the due date; the day after it is 1. */
  days: z.int().min(1),
  outstanding: money,
});
export type Overdue = z.output<typeof overdue>;

/** The facts that decide whether an advance is overdue; `outstanding` in minor units. */
export interface Advance {
  readonly status: Status;
  readonly dueOn: string | null;
  readonly outstanding: number | null;
}

/**
 * How late an advance is on a day in Kampala (YYYY-MM-DD), and the outstanding amount; null if it is not late, or
 * written off.
 */
export function overdueOf({ status, dueOn, outstanding }: Advance, today: string): Overdue | null {
  if (status !== 'Disbursed' || dueOn === null || !outstanding || dueOn >= today) return null;
  return { days: daysBetween(dueOn, today), outstanding: fromMinor(outstanding) };
}
