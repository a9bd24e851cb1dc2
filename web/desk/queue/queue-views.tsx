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

/** Views in which nothing should be. */
const alarming: readonly QueueView[] = ['late', 'overdue', ...overdueBucketNames];
/** A job says how much it has to do; what is over has no such count. */
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

/** The filters of the job that is open, each with how much is in it. */
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

/** On a phone the filters are one line that is pushed sideways: the chosen one stands in it. */
function bringIntoSight(filter: HTMLElement | null): void {
  filter?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** It takes its room before it is known, or what stands beside it would move. */
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
