import { formatCount } from '#contract/counts.ts';
import {
  type DeskCounts,
  type DeskJob,
  deskJobNames,
  deskJobs,
  type QueueView,
  queueViews,
} from '#contract/desk/schema.ts';
import { overdueBucketNames } from '#contract/payments/buckets.ts';
import classes from '#web/desk/desk.module.css';
import { Link } from '#web/platform/router/router.tsx';
import { type QueuePlace, queuePath } from './queue-place.ts';

interface QueueViewsProps extends QueuePlace {
  readonly counts: DeskCounts | undefined;
}

/** Views that should be empty. */
const alarming: readonly QueueView[] = ['late', 'overdue', ...overdueBucketNames];
/** A job shows how many cases it has left; the history has no such count. */
const uncounted: DeskJob = 'history';

/** The jobs of the desk as tabs. */
export function Jobs({ job: current, view: shown, counts }: QueueViewsProps) {
  return (
    <nav aria-label="Jobs" className={classes.jobs}>
      {deskJobNames.map((job) => {
        const [first] = deskJobs[job].views;
        return (
          <Link
            key={job}
            to={queuePath(first)}
            className={classes.job}
            aria-current={job === current ? (shown === first ? 'page' : 'true') : undefined}
          >
            {deskJobs[job].label}
            {job !== uncounted && <Count view={first} counts={counts} />}
          </Link>
        );
      })}
    </nav>
  );
}

/** The filters of the open job, each with its number of cases. */
export function Filters({ job, view: shown, counts }: QueueViewsProps) {
  return (
    <nav aria-label={`Filters of ${deskJobs[job].label}`} className={classes.views}>
      {deskJobs[job].views.map((view) => (
        <Link
          key={view}
          to={queuePath(view)}
          replace
          className={classes.view}
          aria-current={view === shown ? 'page' : undefined}
          ref={view === shown ? bringIntoSight : undefined}
        >
          {queueViews[view]}
          <Count view={view} counts={counts} />
        </Link>
      ))}
    </nav>
  );
}

/** On a phone the filters are one line that scrolls sideways; this scrolls the chosen one into view. */
function bringIntoSight(filter: HTMLElement | null): void {
  filter?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Takes up its space before the count is known, so that nothing beside it moves. */
function Count({ view, counts }: { readonly view: QueueView; readonly counts: DeskCounts | undefined }) {
  const count = counts?.[view];
  return (
    <span
      className={classes.count}
      data-alarm={(alarming.includes(view) && count !== undefined && count > 0) || undefined}
    >
      {count === undefined ? '\u2007' : formatCount(count)}
    </span>
  );
}
