import { Card, Skeleton, Text } from '@mantine/core';
import { type DeskCounts, queueViews } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { formatCount } from '#web/ui/counts.ts';
import { useDeskCounts } from './desk.api.ts';
import classes from './desk-tiles.module.css';

interface Tile {
  readonly label: string;
  readonly to: string;
  readonly value: (counts: DeskCounts) => string;
  readonly hint: (counts: DeskCounts) => string;
  /** Something is wrong. */
  readonly alarm?: (counts: DeskCounts) => boolean;
}

const PERCENT = 100;

const tiles: readonly Tile[] = [
  {
    label: 'Waiting',
    to: paths.desk,
    value: ({ undecided }) => formatCount(undecided),
    hint: ({ undecided, mine }) => (undecided === 0 ? 'Nothing waits for you' : `${formatCount(mine)} taken by you`),
  },
  {
    label: queueViews.dueSoon,
    to: paths.deskQueue('dueSoon'),
    value: ({ dueSoon }) => formatCount(dueSoon),
    hint: () => 'of working time',
  },
  {
    label: queueViews.late,
    to: paths.deskQueue('late'),
    value: ({ late }) => formatCount(late),
    hint: ({ late }) => (late === 0 ? 'Every promise holds' : 'The promise is missed'),
    alarm: ({ late }) => late > 0,
  },
  {
    label: 'Decided in time this month',
    to: paths.deskQueue('decidedThisMonth'),
    value: ({ decidedThisMonth, decidedInTimeThisMonth }) =>
      decidedThisMonth === 0 ? '-' : `${Math.floor((decidedInTimeThisMonth / decidedThisMonth) * PERCENT)}%`,
    hint: ({ decidedThisMonth, decidedInTimeThisMonth }) =>
      decidedThisMonth === 0
        ? 'Nothing decided yet'
        : `${formatCount(decidedInTimeThisMonth)} of ${formatCount(decidedThisMonth)}`,
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
