import { type Status, statuses } from '#contract/applications/lifecycle.ts';
import type { AllFigures, OwnFigures, Sums } from '#contract/figures/schema.ts';
import type { OwnRow, StatusRow } from './figures.queries.ts';

/** Presents a client's figures, with a row for every month of `months`. */
export function presentOwnFigures(rows: readonly OwnRow[], months: readonly string[]): OwnFigures {
  return {
    currencies: byCurrency(rows).map(([currency, own]) => ({
      currency,
      running: presentRunning(own.find(({ running }) => running === true)),
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

function byCurrency<Row extends { readonly currency: string }>(rows: readonly Row[]): [string, Row[]][] {
  return [...Map.groupBy(rows, ({ currency }) => currency)];
}

function presentRunning(row: OwnRow | undefined): OwnFigures['currencies'][number]['running'] {
  return { ...presentSums(row), outstanding: row?.outstanding ?? '0.00' };
}

function presentSums(row: OwnRow | StatusRow | undefined): Sums {
  return {
    applications: row?.applications ?? 0,
    amountAppliedFor: row?.advance ?? '0.00',
    feesCharged: row?.discount_fee ?? '0.00',
    amountReceived: row?.net_proceeds ?? '0.00',
  };
}
