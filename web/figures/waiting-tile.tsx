import { Card, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { COUNTED_ROWS } from '#contract/product.ts';
import { useAllFigures } from '#web/figures/figures.api.ts';
import classes from '#web/figures/figures.module.css';
import { paths } from '#web/paths.ts';
import { formatFormDate } from '#web/ui/dates.ts';

/** How many applications wait for the staff and since when: the way to the list of them. */
export function WaitingTile() {
  const { data, isError } = useAllFigures();
  const waiting = data?.waiting;
  return (
    <Card component={Link} to={paths.waiting} preventScrollReset padding="md" className={classes.tile}>
      <Text fw={600} lh="1.5rem" component="span">
        Waiting
      </Text>
      <span className={classes.tileCount}>
        {waiting === undefined && (isError ? '-' : <Skeleton height={28} my={10} width={32} />)}
        {waiting !== undefined && written(waiting.count)}
      </span>
      <Text size="sm" c="dimmed" component="span" mih="1.25rem">
        {waiting !== undefined &&
          (waiting.oldest === null ? 'Nothing waits for you' : `Oldest of ${formatFormDate(waiting.oldest)}`)}
      </Text>
    </Card>
  );
}

/** The list that it leads to is counted no further either. */
function written(count: number): string {
  return `${count.toLocaleString('en')}${count === COUNTED_ROWS ? ' or more' : ''}`;
}
