import { formatNumeric } from '#contract/money.ts';
import { sayDate, sayDayAndMonth, sayMonth } from '#contract/time/calendar.ts';

/** One bar of the chart and one row of the table behind it. */
export interface Period {
  /** The period's first day (YYYY-MM-DD). */
  readonly from: string;
  /** The label below the bar. */
  readonly tick: string;
  /** The name in the table and for people who cannot see the chart. */
  readonly name: string;
  /** Sums as decimal text by column; a missing column has no applications. */
  readonly values: Readonly<Record<string, string>>;
}

/** A week by its first day. */
export function weekFrom(from: string): Omit<Period, 'values'> {
  return { from, tick: sayDayAndMonth(from), name: sayDate(from) };
}

/** A month by its first day. */
export function monthFrom(from: string): Omit<Period, 'values'> {
  return { from, tick: sayMonth(from), name: `${sayMonth(from)} ${from.slice(0, 4)}` };
}

/** A part of each period's bar. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
}

/** A column of the table. */
export interface SumColumn {
  readonly key: string;
  readonly label: string;
}

/** The columns that have a figure in any period; all columns if none has. */
export function withFigures<Part extends { readonly key: string }>(
  parts: readonly Part[],
  periods: readonly Period[],
): readonly Part[] {
  const some = parts.filter(({ key }) => periods.some(({ values }) => values[key] !== undefined));
  return some.length === 0 ? parts : some;
}

/** The chart in words: every bar with its parts. */
export function describeChart(by: string, unit: string, periods: readonly Period[], series: readonly Series[]): string {
  const bars = periods.flatMap(({ name, values }) => {
    const parts = series.flatMap(({ key, label }) => {
      const value = values[key];
      return value === undefined ? [] : [`${label} ${formatNumeric(value)}`];
    });
    return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}.`];
  });
  return [`Bar chart by ${by} in ${unit}.`, ...bars].join(' ');
}
