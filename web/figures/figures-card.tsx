import { Alert, Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import { useChartCode } from '#web/figures/figures.api.ts';
import classes from '#web/figures/figures.module.css';
import { useFiguresView } from '#web/figures/figures-view.ts';
import { PeriodTable } from '#web/figures/period-table.tsx';
import { describeChart, type Period, type Series, type SumColumn } from '#web/figures/periods.ts';
import { Sum } from '#web/figures/sum.tsx';

/** The figures of one currency, as the card shows them. */
export interface CurrencyFigures {
  readonly currency: string;
  /** The figures above the chart, the first one the largest. */
  readonly totals: readonly { readonly label: string; readonly sum: string; readonly hint?: string }[];
  readonly periods: readonly Period[];
}

interface FiguresCardProps {
  readonly title: string;
  /** What the figures are about and what not, in a sentence. */
  readonly note: string;
  /** What stands in the place of the figures as long as there are none. */
  readonly empty: string;
  /** What a period is: 'month'. */
  readonly by: 'month' | 'week';
  readonly series: readonly Series[];
  readonly columns: readonly SumColumn[];
  /** Undefined while they load. */
  readonly figures: readonly CurrencyFigures[] | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => unknown;
  /** Whether the card has come into sight; the chart's code does not travel before. */
  readonly isSeen: boolean;
  readonly ref: Ref<HTMLElement>;
}

/** The last block of a dashboard: figures, and a chart with the table behind it. */
export function FiguresCard(props: FiguresCardProps) {
  const { title, note, empty, figures, error } = props;
  const headingId = useId();
  const currencies = figures?.map(({ currency }) => currency) ?? [];
  const view = useFiguresView(currencies);
  const shown = figures?.find(({ currency }) => currency === view.currency);
  // Nothing stands beside the heading, nor is anything on its way.
  const isBare = shown === undefined && (figures !== undefined || error !== null);
  return (
    <Card component="section" padding="lg" aria-labelledby={headingId} ref={props.ref}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm" className={isBare ? undefined : classes.head}>
          <Title order={2} id={headingId}>
            {title}
          </Title>
          {shown !== undefined && (
            <Group gap="xs">
              {currencies.length > 1 && (
                <SegmentedControl
                  aria-label="Currency"
                  classNames={{ label: classes.currencyChoice ?? '' }}
                  data={currencies}
                  value={shown.currency}
                  onChange={view.showCurrency}
                />
              )}
              <Button variant="default" px="md" onClick={() => view.showAsTable(!view.asTable)}>
                {view.asTable ? 'Show as chart' : 'Show as table'}
              </Button>
            </Group>
          )}
        </Group>
        {error !== null && <Failure {...props} error={error} />}
        {figures === undefined && error === null && <Loading />}
        {figures?.length === 0 && <Text c="dimmed">{empty}</Text>}
        {shown !== undefined && (
          <>
            <Totals figures={shown} />
            <ChartOrTable {...props} figures={shown} asTable={view.asTable} />
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </>
        )}
      </Stack>
    </Card>
  );
}

function Failure({ title, figures, error, isFetching, retry }: FiguresCardProps & { readonly error: Error }) {
  const what = figures === undefined ? 'could not be loaded' : 'could not be refreshed';
  return (
    <Alert color="red" variant="light" role="alert" title={`${title}: the figures ${what}`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{error.message}</Text>
        <Button variant="default" loading={isFetching} onClick={() => void retry()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}

const CHART_HEIGHT_PX = 280;

function Loading() {
  return (
    <div aria-busy>
      <div className={classes.totals}>
        {['one', 'two', 'three'].map((key) => (
          <div key={key}>
            <Skeleton height={12} my={5} width={120} />
            <Skeleton height={24} my={4} width={160} />
            <Skeleton height={12} my={5} width={90} />
          </div>
        ))}
      </div>
      <Skeleton height={CHART_HEIGHT_PX} mt="md" />
      <Skeleton height={12} mt={20} mb={5} maw={420} />
    </div>
  );
}

function Totals({ figures: { currency, totals } }: { readonly figures: CurrencyFigures }) {
  return (
    <dl className={classes.totals}>
      {totals.map(({ label, sum, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={classes.total}>
            <Sum value={sum} currency={currency} />
          </dd>
          {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface ChartOrTableProps extends Omit<FiguresCardProps, 'figures' | 'ref'> {
  readonly figures: CurrencyFigures;
  readonly asTable: boolean;
}

/** Where the chart's code cannot be had, the table stands in for it. */
function ChartOrTable({ title, by, series, columns, figures, asTable, isSeen }: ChartOrTableProps): ReactNode {
  const { currency, periods } = figures;
  const code = useChartCode(isSeen && !asTable);
  const header = by === 'month' ? 'Month' : 'Week from';
  const table = <PeriodTable label={`${title}, ${currency}`} header={header} periods={periods} columns={columns} />;
  if (asTable) return table;
  if (code.data === undefined) {
    return code.isError ? (
      <>
        <Group justify="space-between" gap="sm">
          <Text>The chart could not be loaded. These are its figures.</Text>
          <Button variant="default" loading={code.isFetching} onClick={() => void code.refetch()}>
            Try again
          </Button>
        </Group>
        {table}
      </>
    ) : (
      <Skeleton height={CHART_HEIGHT_PX} />
    );
  }
  const { PeriodChart } = code.data;
  return (
    <div role="img" aria-label={describeChart(by, currency, periods, series)}>
      <div aria-hidden>
        <PeriodChart periods={periods} series={series} height={CHART_HEIGHT_PX} />
      </div>
    </div>
  );
}
