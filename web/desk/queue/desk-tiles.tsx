import { Card, Skeleton, Text } from '@mantine/core';
import { formatCount } from '#contract/counts.ts';
import { type DeskCounts, queueViews } from '#contract/desk/schema.ts';
import { useDeskCounts } from '#web/desk/desk.api.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './desk-tiles.module.css';
import { queuePath } from './queue-place.ts';

interface Tile {
  readonly label: string;
  readonly to: string;
  readonly value: (counts: DeskCounts) => string;
  readonly hint: (counts: DeskCounts) => string;
  /** Something is wrong. */
  readonly alarm?: (counts: DeskCounts) => boolean;
}

const PERCENT = 100;

/** What is late and undecided is not in time, however it ends. */
function dueThisMonth({ decidedThisMonth, late }: DeskCounts): number {
  return decidedThisMonth + late;
}

const tiles: readonly Tile[] = [
  {
    label: 'Waiting',
    to: paths.desk,
    value: ({ undecided }) => formatCount(undecided),
    hint: ({ undecided, mine }) => (undecided === 0 ? 'Nothing waits for you' : `${formatCount(mine)} taken by you`),
  },
  {
    label: queueViews.dueSoon,
    to: queuePath('dueSoon'),
    value: ({ dueSoon }) => formatCount(dueSoon),
    hint: () => 'of working time',
  },
  {
    label: queueViews.late,
    to: queuePath('late'),
    value: ({ late }) => formatCount(late),
    hint: ({ late }) => (late === 0 ? 'Nothing is late' : 'Past our promise'),
    alarm: ({ late }) => late > 0,
  },
  {
    label: 'Decided in time this month',
    to: queuePath('decidedThisMonth'),
    value: (counts) =>
      dueThisMonth(counts) === 0
        ? '-'
        : `${Math.floor((counts.decidedInTimeThisMonth / dueThisMonth(counts)) * PERCENT)}%`,
    hint: (counts) =>
      dueThisMonth(counts) === 0
        ? 'Nothing decided yet'
        : `${formatCount(counts.decidedInTimeThisMonth)} of ${formatCount(dueThisMonth(counts))}`,
  },
];

/** What waits for the staff and how well the promise is kept, each figure the way to its list. */
export function DeskTiles() {
  const { data, isError } = useDeskCounts();
  return (
    <div className={classes.tiles}>
      {tiles.map(({ label, to, value, hint, alarm }) => (
        <Card
          key={label}
          component={Link}
          to={to}
          padding="md"
          className={classes.tile}
          data-alarm={(data !== undefined && alarm?.(data)) || undefined}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.value}>
            {data === undefined ? isError ? '-' : <Skeleton height={28} my={6} width={40} /> : value(data)}
          </span>
          <Text size="sm" c="dimmed" component="span" mih="1.25rem">
            {data !== undefined && hint(data)}
          </Text>
        </Card>
      ))}
    </div>
  );
}
