import {
  type AllFigures,
  type BookFigures,
  type IncomeFigures,
  MONTHS_SHOWN,
  type OwnFigures,
  WEEKS_SHOWN,
} from '#contract/figures/schema.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Context } from '#server/platform/work.ts';
import { findBook } from './book.queries.ts';
import { presentAllFigures, presentBook, presentIncome, presentOwnFigures } from './figures.presenter.ts';
import { findAllFigures, findDueNext, findOwnFigures } from './figures.queries.ts';
import { findPeriods, selectCollected, selectDue, selectEarned } from './income.queries.ts';
import { monthsUpTo, weeksUpTo } from './periods.ts';

/** The figures of the caller's own business; empty for a caller without one. */
export async function readOwnFigures({ platform, caller }: Context): Promise<OwnFigures> {
  const { businessId } = caller.person;
  if (businessId === null) return { currencies: [] };
  const today = kampalaDate(caller.now);
  const months = monthsUpTo(today, MONTHS_SHOWN);
  const [rows, due] = await Promise.all([
    findOwnFigures(platform.db, businessId, { from: months[0] ?? today, to: today }),
    findDueNext(platform.db, businessId),
  ]);
  return presentOwnFigures(rows, due, months);
}

/** The figures of all clients, for staff. */
export async function readAllFigures({ platform, caller }: Context): Promise<AllFigures> {
  const today = kampalaDate(caller.now);
  const weeks = weeksUpTo(today, WEEKS_SHOWN);
  return presentAllFigures(await findAllFigures(platform.db, { from: weeks[0] ?? today, to: today }), weeks);
}

/** Everything outstanding now, for staff. */
export async function readBook({
  platform: { db },
  caller: { now },
}: Context<Pick<Caller, 'now'>>): Promise<BookFigures> {
  return presentBook(await findBook(db, kampalaDate(now)));
}

const LAST_DAY_OF_WEEK = 6;

/** Money received and earned, for staff; due amounts count to the end of this week. */
export async function readIncome({ platform: { db }, caller: { now } }: Context): Promise<IncomeFigures> {
  const today = kampalaDate(now);
  const [weeks, months] = [weeksUpTo(today, WEEKS_SHOWN), monthsUpTo(today, MONTHS_SHOWN)];
  const from = weeks[0] ?? today;
  const weekEnds = addDays(weeks.at(-1) ?? today, LAST_DAY_OF_WEEK);
  const [due, collected, earned] = await Promise.all([
    findPeriods(db, selectDue, { from, to: weekEnds }),
    findPeriods(db, selectCollected, { from, to: today }),
    findPeriods(db, selectEarned, { from: months[0] ?? today, to: today }),
  ]);
  return presentIncome({ due, collected, earned }, { weeks, months });
}
