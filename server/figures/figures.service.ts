import { type AllFigures, MONTHS_SHOWN, type OwnFigures, WEEKS_SHOWN } from '#contract/figures/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { Platform } from '#server/platform.ts';
import { presentAllFigures, presentOwnFigures } from './figures.presenter.ts';
import { findAllFigures, findOwnFigures } from './figures.queries.ts';
import { monthsUpTo, weeksUpTo } from './periods.ts';

export { weeksUpTo } from './periods.ts';

/** The figures of the caller's own business; empty for a caller without one. */
export async function readOwnFigures(platform: Platform, caller: SignedInCaller): Promise<OwnFigures> {
  const { businessId } = caller.person;
  if (businessId === null) return { currencies: [] };
  const today = kampalaDate(caller.now);
  const months = monthsUpTo(today, MONTHS_SHOWN);
  const rows = await findOwnFigures(platform.db, businessId, { from: months[0] ?? today, to: today });
  return presentOwnFigures(rows, months);
}

/** The figures of all clients, for staff. */
export async function readAllFigures(platform: Platform, caller: SignedInCaller): Promise<AllFigures> {
  const today = kampalaDate(caller.now);
  const weeks = weeksUpTo(today, WEEKS_SHOWN);
  return presentAllFigures(await findAllFigures(platform.db, { from: weeks[0] ?? today, to: today }), weeks);
}
