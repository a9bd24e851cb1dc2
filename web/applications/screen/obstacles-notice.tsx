import { Alert, Anchor, Text } from '@mantine/core';
import type { Obstacle } from '#contract/applications/submission/submission.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './application-screen.module.css';
import { describeObstacle } from './use-obstacles.ts';

const NOTICE = 'obstacles';

/** Moves to the notice. */
export function showObstacles(): void {
  const notice = document.getElementById(NOTICE);
  notice?.scrollIntoView({ block: 'center' });
  notice?.focus({ preventScroll: true });
}

/** Above the form: the obstacles that no typing removes. The client can save all the same. */
export function ObstaclesNotice({ obstacles }: { readonly obstacles: readonly Obstacle[] }) {
  if (obstacles.length === 0) return null;
  return (
    <Alert id={NOTICE} tabIndex={-1} className={classes.notice} color="red" title="You can’t submit an application now">
      {obstacles.map((obstacle) => (
        <Text key={obstacle.code} size="sm">
          {describeObstacle(obstacle)}.{' '}
          {obstacle.extra?.overdueTag !== undefined && (
            <Anchor component={Link} to={paths.application(obstacle.extra.overdueTag)} inherit underline="always">
              See what to pay
            </Anchor>
          )}
        </Text>
      ))}
    </Alert>
  );
}
