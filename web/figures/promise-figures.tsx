import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import dayjs from 'dayjs';
import { useId } from 'react';
import type { DeskFigures } from '#contract/desk/schema.ts';
import { ChartOrTable } from '#web/figures/chart-or-table.tsx';
import { usePromiseFigures } from '#web/figures/figures.api.ts';
import classes from '#web/figures/figures.module.css';
import { Failure, Loading } from '#web/figures/figures-card.tsx';
import { useFiguresView, useSeen } from '#web/figures/figures-view.ts';
import type { Period } from '#web/figures/periods.ts';
import { counted, formatCount } from '#web/ui/counts.ts';

const TITLE = 'How well the promise was kept';

const inTime = { key: 'inTime', label: 'In time' } as const;
const late = { key: 'late', label: 'Late' } as const;
const series = [
  { ...inTime, color: 'var(--mantine-primary-color-filled)' },
  { ...late, color: 'var(--mantine-color-red-6)' },
] as const;
const columns = [
  { key: 'decided', label: 'Decided' },
  inTime,
  late,
  { key: 'median', label: 'Median, working minutes' },
] as const;

/** Decisions in time and late by week, and this month's share and median. */
export function PromiseFigures() {
  const { isSeen, watch } = useSeen();
  const query = usePromiseFigures(isSeen);
  const view = useFiguresView([], 'promise');
  const headingId = useId();
  const { data, error } = query;
  const isNone = data?.weeks.every(({ decided }) => decided === 0) === true && data.thisMonth.decided === 0;
  const isShown = data !== undefined && !isNone;
  return (
    <Card component="section" padding="lg" aria-labelledby={headingId} ref={watch}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm" className={isShown ? classes.head : undefined}>
          <Title order={2} id={headingId}>
            {TITLE}
          </Title>
          {isShown && (
            <Button variant="default" px="md" onClick={() => view.showAsTable(!view.asTable)}>
              {view.asTable ? 'Show as chart' : 'Show as table'}
            </Button>
          )}
        </Group>
        {error !== null && (
          <Failure title={TITLE} figures={data} error={error} isFetching={query.isFetching} retry={query.refetch} />
        )}
        {data === undefined && error === null && <Loading />}
        {isNone && <Text c="dimmed">Nothing has been decided in the last 12 weeks.</Text>}
        {isShown && (
          <>
            <ThisMonth figures={data} />
            <ChartOrTable
              title={TITLE}
              by="week"
              unit="decisions"
              periods={data.weeks.map(periodOf)}
              series={series}
              columns={columns}
              asTable={view.asTable}
              isSeen={isSeen}
            />
            <Text size="sm" c="dimmed">
              By date of decision, in weeks from Monday. Promised within {inHours(data.targetMinutes)} of working time;
              while a client is asked for something the clock stands still.
            </Text>
          </>
        )}
      </Stack>
    </Card>
  );
}

const PERCENT = 100;
const MINUTES_PER_HOUR = 60;

/** '4 hours', '1 hour 30 minutes'. */
function inHours(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR];
  const parts = [hours === 0 ? '' : counted(hours, 'hour'), rest === 0 ? '' : counted(rest, 'minute')];
  return parts.filter((part) => part !== '').join(' ') || '0 minutes';
}

function ThisMonth({ figures: { thisMonth, targetMinutes } }: { readonly figures: DeskFigures }) {
  const { decided, inTime: kept, medianMinutes } = thisMonth;
  const totals = [
    {
      label: 'In time, this month',
      value: decided === 0 ? '-' : `${Math.floor((kept / decided) * PERCENT)}%`,
      hint: `${formatCount(kept)} of ${counted(decided, 'decision')}`,
    },
    {
      label: 'Median time, this month',
      value: medianMinutes === null ? '-' : inHours(medianMinutes),
      hint: `${inHours(targetMinutes)} promised`,
    },
    { label: 'Late, this month', value: formatCount(decided - kept), hint: 'decided after the promise' },
  ];
  return (
    <dl className={classes.totals}>
      {totals.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={classes.total}>{value}</dd>
          <dd className={classes.hint}>{hint}</dd>
        </div>
      ))}
    </dl>
  );
}

function periodOf({ from, decided, inTime: kept, medianMinutes }: DeskFigures['weeks'][number]): Period {
  const median: Record<string, string> = medianMinutes === null ? {} : { median: String(medianMinutes) };
  return {
    from,
    tick: dayjs(from).format('D MMM'),
    name: dayjs(from).format('D MMM YYYY'),
    values:
      decided === 0 ? {} : { decided: String(decided), inTime: String(kept), late: String(decided - kept), ...median },
  };
}
