import { Card, Skeleton, Text } from '@mantine/core';
import { formatCount } from '#contract/counts.ts';
import { type DeskCounts, queueViews } from '#contract/desk/schema.ts';
import { useDeskCounts } from '#web/desk/desk.api.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './desk-tiles.module.css';
import { queuePath } from './queue-place.ts';

const PERCENT = 100;

/** The desk's open work; each figure links to its list. */
function tilesOf(counts: Partial<DeskCounts>) {
  const { undecided = 0, mine = 0, dueSoon = 0, late = 0, decidedThisMonth = 0, decidedInTimeThisMonth = 0 } = counts;
  const { toDisburse = 0, overdue = 0, dueThisWeek = 0 } = counts;
  // A late, undecided case counts as missed, however it ends.
  const due = decidedThisMonth + late;
  return [
    {
      label: 'Waiting',
      to: paths.desk,
      value: formatCount(undecided),
      hint: undecided === 0 ? 'Nothing waits for you' : `${formatCount(mine)} taken by you`,
    },
    { label: queueViews.dueSoon, to: queuePath('dueSoon'), value: formatCount(dueSoon), hint: 'of working time' },
    {
      label: queueViews.late,
      to: queuePath('late'),
      value: formatCount(late),
      hint: late === 0 ? 'Nothing is late' : 'Past our promise',
      isAlarm: late > 0,
    },
    {
      label: queueViews.toDisburse,
      to: queuePath('toDisburse'),
      value: formatCount(toDisburse),
      hint: toDisburse === 0 ? 'Nothing to pay out' : 'Approved, not paid out',
    },
    {
      label: queueViews.overdue,
      to: queuePath('overdue'),
      value: formatCount(overdue),
      hint: `${formatCount(dueThisWeek)} due within 7 days`,
      isAlarm: overdue > 0,
    },
    {
      label: 'Decided in time this month',
      to: queuePath('decidedThisMonth'),
      value: due === 0 ? '-' : `${Math.floor((decidedInTimeThisMonth / due) * PERCENT)}%`,
      hint: due === 0 ? 'Nothing decided yet' : `${formatCount(decidedInTimeThisMonth)} of ${formatCount(due)}`,
    },
  ];
}

/** How much waits for staff, and how well they keep to the SLA. */
export function DeskTiles() {
  const { data, isError } = useDeskCounts();
  return (
    <div className={classes.tiles}>
      {tilesOf(data ?? {}).map(({ label, to, value, hint, isAlarm = false }) => (
        <Card
          key={label}
          component={Link}
          to={to}
          padding="md"
          className={classes.tile}
          data-alarm={isAlarm || undefined}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.value}>
            {data === undefined ? isError ? '-' : <Skeleton height={28} my="xs" width={40} /> : value}
          </span>
          <Text size="sm" c="dimmed" component="span" mih="1.25rem">
            {data !== undefined && hint}
          </Text>
        </Card>
      ))}
    </div>
  );
}
