import { type DeskCounts, type QueueView, queueViewNames, queueViews } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { formatCount } from '#web/ui/counts.ts';
import classes from './desk.module.css';

interface QueueViewsProps {
  readonly current: QueueView;
  readonly counts: DeskCounts | undefined;
}

/** The desk's queues, each with how much is in it where that is counted. */
export function QueueViews({ current, counts }: QueueViewsProps) {
  const known: Partial<Record<QueueView, number>> = counts ?? {};
  return (
    <nav aria-label="Queues" className={classes.views}>
      {queueViewNames.map((view) => (
        <Link
          key={view}
          to={view === 'undecided' ? paths.desk : paths.deskQueue(view)}
          replace
          className={classes.view}
          aria-current={view === current ? 'page' : undefined}
        >
          {queueViews[view]}
          {known[view] !== undefined && (
            <span className={classes.count} data-alarm={(view === 'late' && known[view] > 0) || undefined}>
              {formatCount(known[view])}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
