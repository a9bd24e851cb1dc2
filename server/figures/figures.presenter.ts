import { type Status, statuses } from '#contract/applications/lifecycle.ts';
import {
  type AllFigures,
  type BookFigures,
  type BookOfCurrency,
  dueGroups,
  type IncomeFigures,
  type OwnFigures,
  type Sums,
} from '#contract/figures/schema.ts';
import { sumNumeric } from '#contract/money.ts';
import type { BookRow } from './book.queries.ts';
import type { DueRow, OwnRow, StatusRow } from './figures.queries.ts';
import type { PeriodRow } from './income.queries.ts';

/** Presents a client's figures, with a row for every month of `months`. */
export function presentOwnFigures(
  rows: readonly OwnRow[],
  due: readonly DueRow[],
  months: readonly string[],
): OwnFigures {
  return {
    currencies: byCurrency(rows).map(([currency, own]) => ({
      currency,
      running: presentRunning(own.find(({ running }) => running === true)),
      dueNext: presentDueNext(due.find((one) => one.currency === currency)),
      thisYear: presentSums(own.find(({ in_year }) => in_year === true)),
      months: months.map((from) => ({ from, ...presentSums(own.find(({ month }) => month === from)) })),
    })),
  };
}

/** Presents the staff's figures, with a row for every week of `weeks` and every status. */
export function presentAllFigures(rows: readonly StatusRow[], weeks: readonly string[]): AllFigures {
  return {
    currencies: byCurrency(rows).map(([currency, all]) => {
      const statusesOf = (period: string | null) =>
        statuses.map((status: Status) => ({
          status,
          ...presentSums(all.find((row) => row.status === status && row.week === period)),
        }));
      return {
        currency,
        statuses: statusesOf(null),
        weeks: weeks.map((from) => ({ from, statuses: statusesOf(from) })),
      };
    }),
  };
}

/** Presents the outstanding amounts, with every due group in order. */
export function presentBook(rows: readonly BookRow[]): BookFigures {
  return {
    currencies: byCurrency(rows).map(([currency, parts]) => {
      const due = dueGroups.map((group) => ({ group, ...presentPart(parts.find((part) => part.group === group)) }));
      const applications = due.reduce((count, part) => count + part.applications, 0);
      return {
        currency,
        all: { applications, outstanding: sumNumeric(due.map(({ outstanding }) => outstanding)) },
        due,
        buyers: presentNamed(parts, 'buyer'),
        clients: presentNamed(parts, 'client'),
      };
    }),
  };
}

function presentPart(row: BookRow | undefined) {
  return { applications: row?.applications ?? 0, outstanding: row?.outstanding ?? NOTHING };
}

function presentNamed(rows: readonly BookRow[], kind: 'buyer' | 'client'): BookOfCurrency['buyers'] {
  return rows.filter((row) => row.kind === kind).map((row) => ({ name: row.name ?? '', ...presentPart(row) }));
}

/** The rows of each week or month. */
export interface IncomeRows {
  readonly due: readonly PeriodRow[];
  readonly collected: readonly PeriodRow[];
  readonly earned: readonly PeriodRow[];
}

/** Presents money received and earned, with a row for every week and every month. */
export function presentIncome(
  { due, collected, earned }: IncomeRows,
  { weeks, months }: { readonly weeks: readonly string[]; readonly months: readonly string[] },
): IncomeFigures {
  const currencies = byCurrency([...due, ...collected, ...earned]).map(([currency]) => {
    const sumOf = (rows: readonly PeriodRow[], from: string): string =>
      rows.find((row) => row.currency === currency && row.from === from)?.sum ?? NOTHING;
    return {
      currency,
      weeks: weeks.map((from) => ({ from, due: sumOf(due, from), collected: sumOf(collected, from) })),
      months: months.map((from) => ({ from, earned: sumOf(earned, from) })),
    };
  });
  // UGX before USD, whichever currency the three results have first.
  return { currencies: currencies.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)) };
}

function presentDueNext(row: DueRow | undefined): OwnFigures['currencies'][number]['dueNext'] {
  return row === undefined ? null : { dueOn: row.due_on, outstanding: row.outstanding };
}

const NOTHING = '0.00';

function byCurrency<Row extends { readonly currency: string }>(rows: readonly Row[]): [string, Row[]][] {
  return [...Map.groupBy(rows, ({ currency }) => currency)];
}

function presentRunning(row: OwnRow | undefined): OwnFigures['currencies'][number]['running'] {
  return { ...presentSums(row), outstanding: row?.outstanding ?? NOTHING };
}

function presentSums(row: OwnRow | StatusRow | undefined): Sums {
  return {
    applications: row?.applications ?? 0,
    amountAppliedFor: row?.advance ?? NOTHING,
    feesCharged: row?.discount_fee ?? NOTHING,
    amountReceived: row?.net_proceeds ?? NOTHING,
  };
}
