import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { useChartCode } from './figures.api.ts';
import { PeriodTable } from './period-table.tsx';
import { describeChart, type Period, type Series, type SumColumn } from './periods.ts';

export const CHART_HEIGHT_PX = 280;

interface ChartOrTableProps {
  readonly title: string;
  /** The length of a period. */
  readonly by: 'month' | 'week';
  /** The unit of the figures: a currency's code, or the name of the things counted. */
  readonly unit: string;
  readonly periods: readonly Period[];
  readonly series: readonly Series[];
  readonly columns: readonly SumColumn[];
  /** The bars of a period are side by side, not stacked. */
  readonly beside?: boolean;
  readonly asTable: boolean;
  /** Whether it has scrolled into view; the chart's code is not loaded before. */
  readonly isSeen: boolean;
}

/** A chart, or the table with the same figures. If the chart's code does not load, the table replaces it. */
export function ChartOrTable(props: ChartOrTableProps): ReactNode {
  const { title, by, unit, periods, series, columns, beside = false, asTable, isSeen } = props;
  const code = useChartCode(isSeen && !asTable);
  const header = by === 'month' ? 'Month' : 'Week from';
  const table = <PeriodTable label={`${title}, ${unit}`} header={header} periods={periods} columns={columns} />;
  if (asTable) return table;
  if (code.data === undefined) {
    return code.isError ? (
      <>
        <NotLoaded what="The chart" query={code} why="These are its figures." />
        {table}
      </>
    ) : (
      <Skeleton height={CHART_HEIGHT_PX} />
    );
  }
  const { PeriodChart } = code.data;
  return (
    <div role="img" aria-label={describeChart(by, unit, periods, series)}>
      <div aria-hidden>
        <PeriodChart periods={periods} series={series} beside={beside} height={CHART_HEIGHT_PX} />
      </div>
    </div>
  );
}
