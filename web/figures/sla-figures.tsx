import { Text } from '@mantine/core';
import { counted, formatCount, sayMinutes } from '#contract/counts.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import type { DeskFigures } from '#contract/desk/schema.ts';
import { chartColor } from '#web/ui/theme/status-colors.ts';
import { ChartOrTable } from './chart-or-table.tsx';
import { useFigures } from './figures.api.ts';
import { ChartOrTableButton, FiguresBlock } from './figures-block.tsx';
import { Totals } from './figures-card.tsx';
import { useFiguresView } from './figures-view.ts';
import { type Period, weekFrom } from './periods.ts';

const TITLE = 'Decided in time';

const inTime = { key: 'inTime', label: 'In time' } as const;
const late = { key: 'late', label: 'Late' } as const;
const series = [
  { ...inTime, color: 'var(--mantine-primary-color-filled)' },
  { ...late, color: chartColor('Overdue') },
] as const;
const columns = [
  { key: 'decided', label: 'Decided' },
  inTime,
  late,
  { key: 'median', label: 'Median, in working minutes' },
] as const;

type Kept = DeskFigures['thisMonth'];

/** All decisions that were due: made, or past the SLA and still open. */
function decisionsDueOf({ decided, stillLate }: Kept): number {
  return decided + stillLate;
}

function lateOf({ decided, inTime: kept, stillLate }: Kept): number {
  return decided - kept + stillLate;
}

/** Decisions in time and late by week, and this month's share and median. */
export function SlaFigures() {
  const { query, isSeen, ref } = useFigures(deskEndpoints.deskFigures);
  const view = useFiguresView([], 'promise');
  const { data } = query;
  const isNone = data !== undefined && [data.thisMonth, ...data.weeks].every((kept) => decisionsDueOf(kept) === 0);
  const shown = isNone ? undefined : data;
  return (
    <FiguresBlock
      title={TITLE}
      query={query}
      isEmpty={isNone}
      empty="No decisions in the last 12 weeks."
      hasButton
      ref={ref}
      beside={shown && <ChartOrTableButton view={view} />}
    >
      {shown && (
        <>
          <ThisMonth figures={shown} />
          <ChartOrTable
            title={TITLE}
            by="week"
            unit="decisions"
            periods={shown.weeks.map(periodOf)}
            series={series}
            columns={columns}
            asTable={view.asTable}
            isSeen={isSeen}
          />
          <Text size="sm" c="dimmed">
            By date of decision, in weeks from Monday. We promise {sayMinutes(shown.targetMinutes)} of working time. The
            clock is paused while we wait for the client. Late includes what is still undecided.
          </Text>
        </>
      )}
    </FiguresBlock>
  );
}

const PERCENT = 100;
function ThisMonth({ figures: { thisMonth, targetMinutes } }: { readonly figures: DeskFigures }) {
  const { inTime: kept, stillLate, medianMinutes } = thisMonth;
  const due = decisionsDueOf(thisMonth);
  const totals = [
    {
      label: 'In time, this month',
      sum: due === 0 ? '-' : `${Math.floor((kept / due) * PERCENT)}%`,
      hint: `${formatCount(kept)} of ${counted(due, 'application')}`,
    },
    {
      label: 'Median time, this month',
      sum: medianMinutes === null ? '-' : sayMinutes(medianMinutes),
      hint: `We promise ${sayMinutes(targetMinutes)}`,
    },
    {
      label: 'Late, this month',
      sum: formatCount(lateOf(thisMonth)),
      hint: stillLate === 0 ? 'all decided by now' : `${formatCount(stillLate)} still undecided`,
    },
  ];
  return <Totals totals={totals} />;
}

function periodOf({ from, ...week }: DeskFigures['weeks'][number]): Period {
  const { decided, inTime: kept, medianMinutes } = week;
  const median: Record<string, string> = medianMinutes === null ? {} : { median: String(medianMinutes) };
  return {
    ...weekFrom(from),
    values:
      decisionsDueOf(week) === 0
        ? {}
        : { decided: String(decided), inTime: String(kept), late: String(lateOf(week)), ...median },
  };
}
