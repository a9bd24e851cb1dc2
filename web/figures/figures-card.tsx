import { Anchor, Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type Ref, useId } from 'react';
import { Link } from '#web/platform/router/router.tsx';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { CHART_HEIGHT_PX, ChartOrTable } from './chart-or-table.tsx';
import classes from './figures.module.css';
import { useFiguresView } from './figures-view.ts';
import { type Period, type Series, type SumColumn, withFigures } from './periods.ts';
import { Sum } from './sum.tsx';

export interface Total {
  readonly label: string;
  readonly sum: string;
  readonly hint?: string;
  /** Something is late: it is red. */
  readonly isAlarm?: boolean;
  /** The list behind it. */
  readonly to?: string;
}

/** The figures of one currency, as the card shows them. */
export interface CurrencyFigures {
  readonly currency: string;
  /** The figures above the chart, the first one the largest. */
  readonly totals: readonly Total[];
  readonly periods: readonly Period[];
}

interface FiguresCardProps {
  readonly title: string;
  /** The card's name in the address. */
  readonly name?: string;
  /** The bars of a period are side by side, not stacked. */
  readonly beside?: boolean;
  /** What the figures include and what not, in a sentence. */
  readonly note: string;
  /** Shown in place of the figures until they arrive. */
  readonly empty: string;
  /** The length of a period: 'month'. */
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
  const view = useFiguresView(currencies, props.name);
  const shown = figures?.find(({ currency }) => currency === view.currency);
  // Nothing is beside the heading, and nothing is loading.
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
              <CurrencyChoice currencies={currencies} shown={shown.currency} onChange={view.showCurrency} />
              <Button variant="default" px="md" onClick={() => view.showAsTable(!view.asTable)}>
                {view.asTable ? 'Show as chart' : 'Show as table'}
              </Button>
            </Group>
          )}
        </Group>
        {error !== null && (
          <NotLoaded what={figuresOf(title)} query={{ ...props, data: figures, refetch: props.retry }} />
        )}
        {figures === undefined && error === null && <Loading />}
        {figures?.length === 0 && <Text c="dimmed">{empty}</Text>}
        {shown !== undefined && (
          <>
            <Totals {...shown} />
            <ChartOrTable
              {...props}
              unit={shown.currency}
              periods={shown.periods}
              series={withFigures(props.series, shown.periods)}
              columns={withFigures(props.columns, shown.periods)}
              asTable={view.asTable}
            />
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </>
        )}
      </Stack>
    </Card>
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

/** A block's figures, by name. */
export function figuresOf(title: string): string {
  return `${title}: the figures`;
}

/** Three figures and a chart, on their way. */
export function Loading() {
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

/** The figures above a chart, the first one the largest. */
export function Totals({ currency, totals }: Pick<CurrencyFigures, 'currency' | 'totals'>) {
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
          <dd className={classes.total}>
            <Sum value={sum} currency={currency} />
          </dd>
          {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
