import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { Link } from '#web/platform/router/router.tsx';
import { ChartOrTable } from './chart-or-table.tsx';
import classes from './figures.module.css';
import { ChartOrTableButton, FiguresBlock, type FiguresBlockProps } from './figures-block.tsx';
import { useFiguresView } from './figures-view.ts';
import { type Period, type Series, type SumColumn, withFigures } from './periods.ts';
import { Sum } from './sum.tsx';

export interface Total {
  readonly label: string;
  /** A sum of money as decimal text, or a count in words. */
  readonly sum: string;
  readonly hint?: string;
  /** Something is late: the figure is red. */
  readonly isAlarm?: boolean;
  /** A link to the list behind the figure. */
  readonly to?: string;
}

/** The figures of one currency, as the card shows them. */
export interface CurrencyFigures {
  readonly currency: string;
  /** The figures above the chart; the first is shown largest. */
  readonly totals: readonly Total[];
  readonly periods: readonly Period[];
}

interface FiguresCardProps extends Pick<FiguresBlockProps, 'title' | 'query' | 'empty' | 'ref'> {
  /** The card's name in the address. */
  readonly name?: string;
  /** The bars of a period are side by side, not stacked. */
  readonly beside?: boolean;
  /** One sentence on what the figures include and leave out. */
  readonly note: string;
  /** The length of a period: 'month'. */
  readonly by: 'month' | 'week';
  readonly series: readonly Series[];
  readonly columns: readonly SumColumn[];
  /** The query's result; undefined while it loads. */
  readonly figures: readonly CurrencyFigures[] | undefined;
  /** Whether the card has scrolled into view; the chart's code is not loaded before. */
  readonly isSeen: boolean;
}

/** A block of figures on a dashboard, with a chart and the table with its figures. */
export function FiguresCard({ query, empty, ref, figures, ...chart }: FiguresCardProps) {
  const currencies = figures?.map(({ currency }) => currency) ?? [];
  const view = useFiguresView(currencies, chart.name);
  const shown = figures?.find(({ currency }) => currency === view.currency);
  return (
    <FiguresBlock
      title={chart.title}
      query={query}
      isEmpty={figures?.length === 0}
      empty={empty}
      hasButton
      ref={ref}
      beside={
        shown && (
          <Group gap="xs">
            <CurrencyChoice currencies={currencies} shown={shown.currency} onChange={view.showCurrency} />
            <ChartOrTableButton view={view} />
          </Group>
        )
      }
    >
      {shown && (
        <>
          <Totals currency={shown.currency} totals={shown.totals} />
          <ChartOrTable
            {...chart}
            unit={shown.currency}
            periods={shown.periods}
            series={withFigures(chart.series, shown.periods)}
            columns={withFigures(chart.columns, shown.periods)}
            asTable={view.asTable}
          />
          <Text size="sm" c="dimmed">
            {chart.note}
          </Text>
        </>
      )}
    </FiguresBlock>
  );
}

interface CurrencyChoiceProps {
  readonly currencies: readonly string[];
  readonly shown: string;
  readonly onChange: (currency: string) => void;
}

/** The choice of currency, if there are several. */
export function CurrencyChoice({ currencies, shown, onChange }: CurrencyChoiceProps) {
  if (currencies.length < 2) return null;
  return (
    <SegmentedControl
      aria-label="Currency"
      classNames={{ label: classes.currencyChoice ?? '' }}
      data={[...currencies]}
      value={shown}
      onChange={onChange}
    />
  );
}

/** The figures above a chart; the first is shown largest. */
export function Totals({ currency, totals }: { readonly currency?: string; readonly totals: readonly Total[] }) {
  return (
    <dl className={classes.totals}>
      {totals.map(({ label, sum, hint, to, isAlarm }) => (
        <div key={label} data-alarm={isAlarm || undefined}>
          <dt>
            {to === undefined ? (
              label
            ) : (
              <Anchor component={Link} to={to} inherit>
                {label}
              </Anchor>
            )}
          </dt>
          <dd className={classes.total}>{currency === undefined ? sum : <Sum value={sum} currency={currency} />}</dd>
          {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
