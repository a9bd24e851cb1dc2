import { BarChart } from '@mantine/charts';
import { formatNumeric } from '#contract/money.ts';
import type { Period, Series } from './periods.ts';

interface PeriodChartProps {
  readonly periods: readonly Period[];
  readonly series: readonly Series[];
  readonly beside: boolean;
  readonly height: number;
}

/** Numbers short enough for an axis: 17.5M. */
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/**
 * Bars by period, stacked or `beside` each other. It is only a picture; words and table carry the figures for
 * everybody.
 */
export function PeriodChart({ periods, series, beside, height }: PeriodChartProps) {
  // As numbers they are exact enough for pixels. A zero has no bar and no line in the tooltip.
  const data = periods.map(({ tick, name, values }) => ({
    tick,
    name,
    ...Object.fromEntries(series.map(({ key }) => [key, Number(values[key] ?? 0) || undefined])),
  }));
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="tick"
      type={beside ? 'default' : 'stacked'}
      series={series.map(({ key, label, color }) => ({ name: key, label, color }))}
      maxBarWidth={36}
      withLegend
      legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
      tickLine="none"
      gridProps={{ strokeDasharray: '0' }}
      valueFormatter={(value) => formatNumeric(value.toFixed(2))}
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ width: 48, allowDecimals: false, tickFormatter: (value: number) => short.format(value) }}
      tooltipAnimationDuration={0}
      tooltipProps={{ labelFormatter: (_, payload) => String(payload[0]?.payload?.name ?? '') }}
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
    />
  );
}
